package sdk_test

import (
	"context"
	"errors"
	"regexp"
	"testing"
	"time"

	"cdphost/sdk"
	"cdphost/sdk/sdktest"
)

type nested struct {
	Name  string         `json:"name"`
	Match *regexp.Regexp `json:"match"`
}

type testConfig struct {
	Flag  bool              `json:"flag"`
	Count int8              `json:"count"`
	Wait  time.Duration     `json:"wait"`
	Items []nested          `json:"items"`
	Map   map[string]nested `json:"map"`
	Ptr   *float64          `json:"ptr"`
}

func (c *testConfig) Validate() error {
	if c.Count > 100 {
		return errors.Join(&sdk.ConfigError{Path: "count", Message: "too many"}, &sdk.ConfigError{Path: "flag", Message: "no"})
	}
	return nil
}

func TestConfigurations(t *testing.T) {
	t.Parallel()
	plugin := func(got *testConfig) *sdk.Plugin {
		return sdk.New(sdk.Info{Name: "p", Hooks: []sdk.Hook{sdk.HookCommandGuard}},
			testConfig{Count: 7, Items: []nested{{Name: "default"}}},
			func(_ context.Context, env sdk.Env[testConfig]) (sdk.Hooks, error) {
				*got = env.Config
				return sdk.Hooks{CommandGuard: noTyping{}}, nil
			})
	}
	for _, tc := range []struct {
		name   string
		config string
		want   string
	}{
		{"empty", `{}`, ""},
		{"all", `{"flag":true,"wait":"1.5s","items":[{"name":"a","match":"x+"}],"map":{"k":{"name":"b"}},"ptr":2}`, ""},
		{"not an object", `[]`, "is a list, but must be a mapping"},
		{"unknown key", `{"flagg":1}`, "flagg: unknown key (allowed: count, flag, items, map, ptr, wait)"},
		{"wrong bool", `{"flag":"yes"}`, `flag: is "yes", but must be true or false`},
		{"overflow", `{"count":1000}`, "count: is 1000, but must be a whole number (int8)"},
		{"fraction", `{"count":1.5}`, "count: is 1.5, but must be a whole number (int8)"},
		{"duration", `{"wait":"soon"}`, `wait: "soon" is not a duration such as "1.5s"`},
		{"deep", `{"items":[{"name":"a"},{"nam":"b"}]}`, "items[1].nam: unknown key (allowed: match, name)"},
		{"regexp", `{"items":[{"match":"("}]}`, "items[0].match: error parsing regexp: missing closing ): `(`"},
		{"in a map", `{"map":{"k":{"name":1}}}`, "map.k.name: is 1, but must be a string"},
		{"two at once", `{"count":101}`, "count: too many\nflag: no"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			var got testConfig
			_, err := sdktest.Configure(t, plugin(&got), rawJSON(tc.config))
			text := ""
			if err != nil {
				text = err.Error()
			}
			if text != tc.want {
				t.Errorf("got  %s\nwant %s", text, tc.want)
			}
			if tc.name == "empty" && (got.Count != 7 || len(got.Items) != 1) {
				t.Errorf("defaults are gone: %+v", got)
			}
			if tc.name == "all" && (got.Wait != 1500*time.Millisecond || got.Items[0].Match.String() != "x+" || *got.Ptr != 2 || got.Map["k"].Name != "b") {
				t.Errorf("got %+v", got)
			}
		})
	}
}

type rawJSON string

func (r rawJSON) MarshalJSON() ([]byte, error) { return []byte(r), nil }

func TestDeclaredHookWithoutImplementation(t *testing.T) {
	t.Parallel()
	_, err := sdktest.Configure(t, sdk.New(sdk.Info{Name: "p", Hooks: []sdk.Hook{sdk.HookFrameRouter}}, struct{}{},
		func(context.Context, sdk.Env[struct{}]) (sdk.Hooks, error) { return sdk.Hooks{}, nil }), nil)
	if err == nil || err.Error() != "internal_error: plugin p declares frame-router but returned no implementation" {
		t.Errorf("got %v", err)
	}
}
