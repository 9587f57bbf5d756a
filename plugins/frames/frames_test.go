package frames_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"cdphost/plugins/frames"
	"cdphost/sdk"
	"cdphost/sdk/fault"
	"cdphost/sdk/sdktest"
)

func TestRoutes(t *testing.T) {
	t.Parallel()
	top := sdk.Frame{ID: "T", Top: true}
	child := sdk.Frame{ID: "C", ParentID: "T"}
	oopif := sdk.Frame{ID: "O", ParentID: "T", OOPIF: true}
	for name, tc := range map[string]struct {
		mode string
		req  sdk.RouteRequest
		want sdk.Route
		code fault.Code
		text string
	}{
		"an OOPIF":      {"error", sdk.RouteRequest{Frame: oopif, OwnSession: "SO", ProcessSession: "SO", Method: "DOM.getDocument"}, sdk.Route{SessionID: "SO"}, "", ""},
		"the top frame": {"error", sdk.RouteRequest{Frame: top, OwnSession: "ST", ProcessSession: "ST", Method: "DOM.getDocument"}, sdk.Route{SessionID: "ST"}, "", ""},
		"an OOPIF without a session": {"evaluate", sdk.RouteRequest{Frame: oopif, ProcessSession: "ST", UniqueContextID: "u", Method: "Runtime.evaluate"},
			sdk.Route{}, fault.SessionNotFound, "take a new browser_snapshot"},
		"same process": {"error", sdk.RouteRequest{Frame: child, ProcessSession: "ST", UniqueContextID: "u", Method: "Runtime.evaluate"},
			sdk.Route{}, fault.SameProcessFrame, "contentWindow or .contentDocument"},
		"same process, evaluate": {"evaluate", sdk.RouteRequest{Frame: child, ProcessSession: "ST", UniqueContextID: "u", Method: "Runtime.evaluate", Params: json.RawMessage(`{"expression":"1"}`)},
			sdk.Route{SessionID: "ST", UniqueContextID: "u"}, "", ""},
		"same process, another method": {"evaluate", sdk.RouteRequest{Frame: child, ProcessSession: "ST", UniqueContextID: "u", Method: "DOM.getDocument"},
			sdk.Route{}, fault.SameProcessFrame, "only Runtime.evaluate can run in it by frame_id"},
		"no context yet": {"evaluate", sdk.RouteRequest{Frame: child, ProcessSession: "ST", Method: "Runtime.evaluate"},
			sdk.Route{}, fault.FrameNotFound, "no execution context at the moment"},
		"a context of the caller": {"evaluate", sdk.RouteRequest{Frame: child, ProcessSession: "ST", UniqueContextID: "u", Method: "Runtime.evaluate", Params: json.RawMessage(`{"contextId":3}`)},
			sdk.Route{}, fault.InvalidArgument, "not both"},
		"params that are no object": {"evaluate", sdk.RouteRequest{Frame: child, ProcessSession: "ST", UniqueContextID: "u", Method: "Runtime.evaluate", Params: json.RawMessage(`[1]`)},
			sdk.Route{}, fault.InvalidArgument, "not a JSON object"},
		"unknown": {"evaluate", sdk.RouteRequest{ProcessSession: "ST", UniqueContextID: "u", Method: "Runtime.evaluate"},
			sdk.Route{}, fault.FrameNotFound, "not known"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := sdktest.Start(t, frames.Plugin(), map[string]any{"same_process": tc.mode})
			got, err := p.Route(t.Context(), tc.req)
			if got != tc.want {
				t.Errorf("got %+v", got)
			}
			if tc.code == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if !errors.Is(err, tc.code) || !strings.Contains(err.Error(), tc.text) {
				t.Errorf("got %v, want %s with %q", err, tc.code, tc.text)
			}
		})
	}
}

func TestConfigurationsThatAreRefused(t *testing.T) {
	t.Parallel()
	_, err := sdktest.Configure(t, frames.Plugin(), map[string]any{"same_process": "top"})
	if want := `same_process: "top" is not known (allowed: error, evaluate)`; err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}
