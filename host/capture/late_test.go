package capture_test

import (
	"context"
	"encoding/json"
	"testing"

	"cdphost/host/capture"
	"cdphost/host/cdp/cdptest"
	"cdphost/sdk/fault"
)

// held makes the mock keep the answers to a method until they are let go.
func held(h *host, method string) (came <-chan *cdptest.Request) {
	c := make(chan *cdptest.Request, 8)
	h.mock.Handle(method, func(r *cdptest.Request) cdptest.Reply { c <- r; return cdptest.NoReply })
	return c
}

func TestLateReplies(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		method string
		params M
		result M
		undo   string
		value  [2]string
	}{
		"session": {"Target.attachToTarget", nil, M{"sessionId": "LATE"}, "Target.detachFromTarget", [2]string{"sessionId", "LATE"}},
		"target":  {"Target.createTarget", M{"url": "about:blank"}, M{"targetId": "LATE"}, "Target.closeTarget", [2]string{"targetId", "LATE"}},
		"script": {
			"Page.addScriptToEvaluateOnNewDocument", M{"source": "late"}, M{"identifier": "LATE"},
			"Page.removeScriptToEvaluateOnNewDocument", [2]string{"identifier", "LATE"},
		},
		"binding":  {"Runtime.addBinding", M{"name": "LATE"}, M{}, "Runtime.removeBinding", [2]string{"name", "LATE"}},
		"domain":   {"Network.enable", nil, M{}, "Network.disable", [2]string{}},
		"fetch":    {"Fetch.enable", nil, M{}, "Fetch.disable", [2]string{}},
		"debugger": {"Debugger.enable", nil, M{}, "Debugger.disable", [2]string{}},
	} {
		for how, end := range map[string]func(*capture.Handle, context.CancelFunc){
			"given up": func(_ *capture.Handle, cancel context.CancelFunc) { cancel() },
			"released": func(handle *capture.Handle, _ context.CancelFunc) { handle.Release() },
		} {
			t.Run(name+" "+how, func(t *testing.T) {
				t.Parallel()
				h := onMock(t)
				handle := h.capture(t, trusted)
				came := held(h, c.method)
				if c.method == "Target.attachToTarget" {
					c.params = M{"targetId": h.page.TargetID, "flatten": true}
				}
				session := h.page.SessionID
				if c.params["targetId"] != nil || c.params["url"] != nil {
					session = ""
				}
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				failed := make(chan error, 1)
				told := make(chan json.RawMessage, 2)
				go func() {
					_, err := handle.Call(ctx, c.method, c.params, capture.OnSession(session),
						capture.WithLate(func(raw json.RawMessage, _ error) { told <- raw }))
					failed <- err
				}()
				r := <-came
				end(handle, cancel)
				if err := <-failed; how == "released" {
					wantCode(t, err, fault.CaptureInvalid)
				} else {
					wantCode(t, err, fault.Aborted)
				}
				r.Answer(cdptest.Result(c.result))
				<-told
				if c.value[0] == "" {
					h.arrived(t, c.undo)
				} else {
					h.arrived(t, c.undo, c.value[0], c.value[1])
				}
				handle.Release()
				h.settled(t)
				n := h.count(c.undo)
				if c.value[0] != "" {
					n = h.count(c.undo, c.value[0], c.value[1])
				}
				if n != 1 {
					t.Errorf("%s arrived %d times", c.undo, n)
				}
				if len(told) != 0 {
					t.Error("the late reply was told twice")
				}
			})
		}
	}
}
