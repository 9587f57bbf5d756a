package suite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"cdphost/sdk"
	"cdphost/sdk/internal/host2plugin"
)

var bridgeChecks = []check{
	{
		name: "its claims can be told from the page's own", hook: sdk.HookDialogBridge, run: claimsAreSpecific,
		advice: "each Claim needs a Method, what tells its events apart, and a Release; put {{token}} where a page that forges a dialog can not read it",
	},
	{
		name: "it leaves events that are not its own", hook: sdk.HookDialogBridge, run: foreignEventsAreLeft,
		advice: "Recognise must return nil for whatever is not a dialog of its own script, and never panic on params",
	},
}

// claimable are the events that a bridge may claim.
var claimable = []string{"Fetch.requestPaused", "Debugger.paused", "Runtime.bindingCalled"}

func claimsAreSpecific(_ context.Context, s *session) (string, error) {
	setup := host2plugin.BridgeSetup(s.declared.GetBridge())
	if len(setup.Claims) == 0 {
		return "", errors.New("it claims no event, so no dialog would come over it")
	}
	for i, c := range setup.Claims {
		if err := validClaim(c); err != nil {
			return "", fmt.Errorf("claim %d: %w", i, err)
		}
	}
	if !usesToken(setup) {
		return "", errors.New("neither its scripts nor its claims have a {{token}}: any page could forge a dialog")
	}
	return fmt.Sprintf("%d claims, %d init scripts", len(setup.Claims), len(setup.InitScripts)), nil
}

// usesToken reports whether a page's script can prove that it is the bridge's.
func usesToken(setup *sdk.BridgeSetup) bool {
	const token = "{{token}}"
	return slices.ContainsFunc(setup.InitScripts, func(i sdk.InitScript) bool { return strings.Contains(i.Source, token) }) ||
		slices.ContainsFunc(setup.Claims, func(c sdk.Claim) bool { return strings.Contains(c.URLPrefix+c.Binding, token) })
}

func validClaim(c sdk.Claim) error {
	switch {
	case !slices.Contains(claimable, c.Method):
		return fmt.Errorf("%q can't be claimed; there are %s", c.Method, strings.Join(claimable, ", "))
	case c.Method == "Fetch.requestPaused" && c.URLPrefix == "":
		return errors.New("a request needs a url prefix")
	case c.Method == "Debugger.paused" && c.FunctionName == "" && c.ScriptURL == "":
		return errors.New("a pause needs a function name or a script's url")
	case c.Method == "Runtime.bindingCalled" && c.Binding == "":
		return errors.New("it names no binding")
	case len(c.Release) == 0:
		return errors.New("it has no release: the page would wait for ever when the bridge can't answer")
	}
	return nil
}

func foreignEventsAreLeft(ctx context.Context, s *session) (string, error) {
	for _, method := range append(slices.Clone(claimable), "Page.frameNavigated") {
		for _, params := range []string{
			`{}`, `[]`, `null`, `{"request":{"url":"https://example.com/","postData":"x"},"requestId":"1"}`,
			`{"request":{"url":5}}`, `{"callFrames":[]}`, `{"callFrames":[{"functionName":"f","url":"https://example.com/a.js"}],"reason":"other"}`,
			`{"name":"b","payload":"x","executionContextId":1}`,
		} {
			d, err := s.ask.Recognise(ctx, sdk.BridgeEvent{
				Task: task, SessionID: "SESSION", TabID: "t1", Method: method, Params: json.RawMessage(params), Token: "TOKEN",
			})
			if err := survived(method+" "+params, err); err != nil {
				return "", err
			}
			if d != nil {
				return "", fmt.Errorf("%s %s was taken for the dialog %q", method, params, d.Message)
			}
		}
	}
	return "", nil
}
