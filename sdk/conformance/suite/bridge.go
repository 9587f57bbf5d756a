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
		advice: "each Claim needs a Method, what tells its events apart ({{token}} in it keeps pages from forging them), and a Release",
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
	return fmt.Sprintf("%d claims, %d init scripts", len(setup.Claims), len(setup.InitScripts)), nil
}

func validClaim(c sdk.Claim) error {
	switch {
	case !slices.Contains(claimable, c.Method):
		return fmt.Errorf("%q can't be claimed; there are %s", c.Method, strings.Join(claimable, ", "))
	case c.Method == "Fetch.requestPaused" && !strings.Contains(c.URLPrefix, "{{token}}"):
		return fmt.Errorf("the url prefix %q has no {{token}}: any page could forge a dialog", c.URLPrefix)
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
