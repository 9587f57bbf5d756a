package dialog_test

import (
	"testing"
	"time"

	"cdphost/plugins/dialog"
	"cdphost/sdk"
	"cdphost/sdk/sdktest"
)

func request(policy string, typ sdk.DialogType, url, message string, frame sdk.FrameKind) sdk.DialogRequest {
	return sdk.DialogRequest{
		Policy: policy, Dialog: sdk.Dialog{ID: "d-1", Type: typ, URL: url, Message: message}, FrameKind: frame,
	}
}

func TestSimplePolicies(t *testing.T) {
	t.Parallel()
	p := sdktest.Start(t, dialog.Plugin(), nil)
	for policy, want := range map[string]sdk.Verdict{
		dialog.MustRespond: {Do: sdk.Hold, Then: sdk.Dismiss, Reason: dialog.MustRespond},
		dialog.AutoDismiss: {Do: sdk.Dismiss, Reason: dialog.AutoDismiss},
		dialog.AutoAccept:  {Do: sdk.Accept, Reason: dialog.AutoAccept},
		dialog.Rules:       {Do: sdk.Hold, Then: sdk.Dismiss, Reason: "rules: fallback must_respond"},
	} {
		got, err := p.Decide(t.Context(), request(policy, sdk.Alert, "https://a.test/", "", sdk.FrameTop))
		if err != nil || got != want {
			t.Errorf("%s: got %+v, %v", policy, got, err)
		}
	}
	if _, err := p.Decide(t.Context(), request("nope", sdk.Alert, "", "", sdk.FrameTop)); err == nil {
		t.Error("an unknown policy decides")
	}
}

func TestRules(t *testing.T) {
	t.Parallel()
	p := sdktest.Start(t, dialog.Plugin(), map[string]any{
		"rules": []map[string]any{
			{"type": "beforeunload", "do": "accept"},
			{"frame": "oopif", "do": "dismiss"},
			{"origin": "https://*.bank.test", "type": "confirm", "do": "ask", "timeout_s": 2.5},
			{"message": `(?i)\bcookies?\b`, "do": "accept"},
			{"type": "prompt", "origin": "https://shop.test", "do": "accept", "text": "42"},
			{"origin": "null", "do": "dismiss"},
		},
		"fallback": "auto_dismiss",
	})
	text := "42"
	for _, tc := range []struct {
		name string
		req  sdk.DialogRequest
		want sdk.Verdict
	}{
		{"type", request("rules", sdk.BeforeUnload, "https://a.test", "", sdk.FrameOOPIF), sdk.Verdict{Do: sdk.Accept, Reason: "rules[0]"}},
		{"frame", request("rules", sdk.Alert, "https://a.test", "", sdk.FrameOOPIF), sdk.Verdict{Do: sdk.Dismiss, Reason: "rules[1]"}},
		{"subdomain", request("rules", sdk.Confirm, "https://www.BANK.test/x", "", sdk.FrameTop), sdk.Verdict{Do: sdk.Ask, Timeout: 2500 * time.Millisecond, Reason: "rules[2]"}},
		{"the domain itself", request("rules", sdk.Confirm, "https://bank.test:443/", "", sdk.FrameTop), sdk.Verdict{Do: sdk.Ask, Timeout: 2500 * time.Millisecond, Reason: "rules[2]"}},
		{"no subdomain", request("rules", sdk.Confirm, "https://evilbank.test/", "", sdk.FrameTop), sdk.Verdict{Do: sdk.Dismiss, Reason: "rules: fallback auto_dismiss"}},
		{"another port", request("rules", sdk.Confirm, "https://bank.test:8443/", "", sdk.FrameTop), sdk.Verdict{Do: sdk.Dismiss, Reason: "rules: fallback auto_dismiss"}},
		{"message", request("rules", sdk.Confirm, "https://a.test", "Accept COOKIES?", sdk.FrameSameProcess), sdk.Verdict{Do: sdk.Accept, Reason: "rules[3]"}},
		{"text", request("rules", sdk.Prompt, "https://shop.test/pay", "", sdk.FrameTop), sdk.Verdict{Do: sdk.Accept, Text: &text, Reason: "rules[4]"}},
		{"opaque", request("rules", sdk.Alert, "about:srcdoc", "", sdk.FrameTop), sdk.Verdict{Do: sdk.Dismiss, Reason: "rules[5]"}},
		{"blob", request("rules", sdk.Prompt, "blob:https://shop.test/1-2", "", sdk.FrameTop), sdk.Verdict{Do: sdk.Accept, Text: &text, Reason: "rules[4]"}},
		{"user info is no host", request("rules", sdk.Prompt, "https://shop.test@evil.test/", "", sdk.FrameTop), sdk.Verdict{Do: sdk.Dismiss, Reason: "rules: fallback auto_dismiss"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got, err := p.Decide(t.Context(), tc.req)
			if err != nil {
				t.Fatal(err)
			}
			if (got.Text == nil) != (tc.want.Text == nil) || got.Text != nil && *got.Text != *tc.want.Text {
				t.Errorf("text %v", got.Text)
			}
			got.Text, tc.want.Text = nil, nil
			if got != tc.want {
				t.Errorf("got %+v, want %+v", got, tc.want)
			}
		})
	}
}

func TestConfigurationsThatAreRefused(t *testing.T) {
	t.Parallel()
	rule := func(r map[string]any) map[string]any {
		return map[string]any{"rules": []map[string]any{{"do": "hold"}, r}, "fallback": "must_respond"}
	}
	for name, tc := range map[string]struct {
		config map[string]any
		want   string
	}{
		"fallback":             {map[string]any{"fallback": "must_respnd"}, `fallback: "must_respnd" is not known (allowed: must_respond, auto_dismiss, auto_accept)`},
		"no fallback":          {map[string]any{"rules": []map[string]any{{"do": "hold"}}}, "fallback: is missing: say what happens to a dialog that no rule matches (allowed: must_respond, auto_dismiss, auto_accept)"},
		"do":                   {rule(map[string]any{"do": "maybe"}), `rules[1].do: "maybe" is not known (allowed: hold, accept, dismiss, ask)`},
		"no do":                {rule(map[string]any{"type": "alert"}), `rules[1].do: "" is not known (allowed: hold, accept, dismiss, ask)`},
		"type":                 {rule(map[string]any{"type": "alrt", "do": "hold"}), `rules[1].type: "alrt" is not known (allowed: alert, confirm, prompt, beforeunload)`},
		"frame":                {rule(map[string]any{"frame": "child", "do": "hold"}), `rules[1].frame: "child" is not known (allowed: top, same_process, oopif)`},
		"origin":               {rule(map[string]any{"origin": "bank.test", "do": "hold"}), `rules[1].origin: "bank.test" is not an origin such as "https://example.com" or "https://*.example.com"`},
		"origin with a path":   {rule(map[string]any{"origin": "https://bank.test/x", "do": "hold"}), `rules[1].origin: "https://bank.test/x" is not an origin such as "https://example.com" or "https://*.example.com"`},
		"a star in the middle": {rule(map[string]any{"origin": "https://a.*.test", "do": "hold"}), `rules[1].origin: "https://a.*.test": a "*." can only stand before the whole host`},
		"message":              {rule(map[string]any{"message": "[", "do": "hold"}), "rules[1].message: error parsing regexp: missing closing ]: `[`"},
		"timeout of zero":      {rule(map[string]any{"timeout_s": 0, "do": "hold"}), "rules[1].timeout_s: is 0, but must be more than 0 and at most 604800"},
		"timeout of accept":    {rule(map[string]any{"timeout_s": 3, "do": "accept"}), "rules[1].timeout_s: is only for do: hold and do: ask"},
		"text of dismiss":      {rule(map[string]any{"text": "x", "do": "dismiss"}), "rules[1].text: is only for do: accept"},
		"unknown key":          {rule(map[string]any{"typ": "alert", "do": "hold"}), "rules[1].typ: unknown key (allowed: do, frame, message, origin, text, timeout_s, type)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := sdktest.Configure(t, dialog.Plugin(), tc.config)
			if err == nil || err.Error() != tc.want {
				t.Errorf("got  %v\nwant %s", err, tc.want)
			}
		})
	}
}
