package suite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"cdphost/sdk"
	"cdphost/sdk/fault"
)

var routerChecks = []check{
	{
		name: "a frame with a session is routed to it", hook: sdk.HookFrameRouter, run: oopifIsRouted,
		advice: "return RouteRequest.OwnSession for a frame that has one, or refuse with an error that has a fault code",
	},
	{
		name: "nothing lands in the top page", hook: sdk.HookFrameRouter, run: nothingLandsInTheTopPage,
		advice: "for a frame without a session return ProcessSession only together with its UniqueContextID; refuse otherwise with fault.SameProcessFrame and name the alternative",
	},
}

func route(method string, frame sdk.Frame, own, uniqueContext string) sdk.RouteRequest {
	return sdk.RouteRequest{
		Task: task, Frame: frame, OwnSession: own, ProcessSession: "TOP", UniqueContextID: uniqueContext,
		Method: method, Params: json.RawMessage(`{"expression":"1"}`),
	}
}

func oopifIsRouted(ctx context.Context, s *session) (string, error) {
	oopif := sdk.Frame{ID: "OOPIF", ParentID: "FRAME", URL: "https://other.example/", Origin: "https://other.example", OOPIF: true}
	for _, method := range []string{"Runtime.evaluate", "Page.captureScreenshot", "No.suchMethod"} {
		r, err := s.ask.Route(ctx, route(method, oopif, "OWN", "CONTEXT"))
		switch {
		case err != nil:
			if err := refusal(method, err); err != nil {
				return "", err
			}
		case r.SessionID != "OWN":
			return "", fmt.Errorf("%s for a frame with the session OWN went to the session %q", method, r.SessionID)
		}
	}
	return "", nil
}

func nothingLandsInTheTopPage(ctx context.Context, s *session) (string, error) {
	inner := sdk.Frame{ID: "INNER", ParentID: "FRAME", URL: "https://example.com/inner", Origin: "https://example.com"}
	for _, method := range []string{"Runtime.evaluate", "Page.captureScreenshot", "Page.navigate"} {
		for _, uniqueContext := range []string{"", "CONTEXT"} {
			r, err := s.ask.Route(ctx, route(method, inner, "", uniqueContext))
			if err != nil {
				if err := refusal(method, err); err != nil {
					return "", err
				}
				continue
			}
			if r.UniqueContextID == "" || method != "Runtime.evaluate" || r.UniqueContextID != uniqueContext || r.SessionID != "TOP" {
				return "", fmt.Errorf("%s for a frame without a session was sent to session %q, context %q: it would act on the top page", method, r.SessionID, r.UniqueContextID)
			}
		}
	}
	return "", nil
}

// refusal wants an error that tells an agent what to do.
func refusal(method string, err error) error {
	if err := survived(method, err); err != nil {
		return err
	}
	if errors.Is(err, fault.InternalError) {
		return fmt.Errorf("%s was refused without a fault code: %w", method, err)
	}
	return nil
}
