package tool

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"cdphost/host/cdp"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// apply applies an event to the frames of the fake's page.
func (f *fakeTask) apply(session, method, params string) {
	f.update(func(_ *supervisor.Snapshot, p *supervisor.Page) {
		if _, err := f.table.Apply(session, method, []byte(params)); err != nil {
			panic(err)
		}
		p.Frames = f.table.Freeze()
	})
}

func TestCDPWhoseFrameChanges(t *testing.T) {
	t.Parallel()
	answered := func(message string) error {
		return &cdp.CallError{Sent: true, Err: &cdp.Error{Code: -32000, Message: message}}
	}
	lost := &cdp.CallError{Sent: true, Err: cdp.ErrSessionGone}
	unsent := &cdp.CallError{Err: cdp.ErrSessionGone}
	navigate := func(f *fakeTask) {
		f.apply(adSession, "Page.frameNavigated", `{"frame":{"id":"F-AD","parentId":"F-TOP","loaderId":"L3","url":"http://ads.test/2","securityOrigin":"http://ads.test"}}`)
	}
	remove := func(f *fakeTask) { f.apply(topSession, "Page.frameDetached", `{"frameId":"F-AD","reason":"remove"}`) }
	crash := func(f *fakeTask) { f.apply(adSession, "Inspector.targetCrashed", `{}`) }
	nothing := func(*fakeTask) {}
	for _, tc := range []struct {
		name   string
		change func(*fakeTask)
		err    error
		code   fault.Code
		says   string
		now    string // frame_change
	}{
		{"navigated", navigate, answered("Inspected target navigated or closed"), fault.SentNoReply, "navigated to http://ads.test/2 before it ended", frameNavigated},
		{"navigated, its session gone", navigate, lost, fault.SentNoReply, "navigated to", frameNavigated},
		{"removed", remove, lost, fault.SentNoReply, "went away before it ended", frameGone},
		{"crashed", crash, lost, fault.SentNoReply, "crashed before it ended", frameCrashed},
		{"removed before", remove, unsent, fault.FrameNotFound, "was not sent: the frame F-AD went away", frameGone},
		{"navigated before", navigate, unsent, fault.NotSent, "was not sent: the frame F-AD navigated", frameNavigated},
		{"navigated, refused for another reason", navigate, answered("Invalid parameters"), fault.CDPError, "Invalid parameters (-32000). The frame F-AD navigated", frameNavigated},
		{"the browser says so, and no event", nothing, answered("Inspected target navigated or closed"), fault.SentNoReply, "navigated or went away before it ended", frameReplaced},
		{"as it was", nothing, answered("Invalid parameters"), fault.CDPError, "Invalid parameters", ""},
		{"as it was, its session gone", nothing, lost, fault.SentNoReply, "page or connection went away", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			k, task, _ := bench()
			task.on["Runtime.evaluate"] = func(_ context.Context, f *fakeTask, _ json.RawMessage) (json.RawMessage, error) {
				tc.change(f)
				return nil, tc.err
			}
			_, err := k.cdp(t.Context(), callOf(`{"method":"Runtime.evaluate","params":{"expression":"1"},"frame_id":"F-AD"}`))
			e, ok := errors.AsType[*fault.Error](err)
			if !ok || e.Code != tc.code || !strings.Contains(e.Message, tc.says) {
				t.Fatalf("err = %v, want %s saying %q", err, tc.code, tc.says)
			}
			if got, _ := e.Details["frame_change"].(string); got != tc.now {
				t.Errorf("frame_change is %q, want %q", got, tc.now)
			}
		})
	}
}

// The browser fails a document's calls before it tells of the next one.
func TestCDPWhoseFrameChangeIsToldLater(t *testing.T) {
	t.Parallel()
	k, task, _ := bench()
	task.on["Runtime.evaluate"] = func(_ context.Context, f *fakeTask, _ json.RawMessage) (json.RawMessage, error) {
		go f.apply(topSession, "Page.frameDetached", `{"frameId":"F-AD","reason":"remove"}`)
		return nil, &cdp.CallError{Sent: true, Err: &cdp.Error{Code: -32000, Message: "Inspected target navigated or closed"}}
	}
	_, err := k.cdp(t.Context(), callOf(`{"method":"Runtime.evaluate","frame_id":"F-AD"}`))
	if fault.CodeOf(err) != fault.SentNoReply || !strings.Contains(err.Error(), "went away") {
		t.Errorf("err = %v", err)
	}
}

func TestCDPInACrashedFrame(t *testing.T) {
	t.Parallel()
	k, task, _ := bench()
	task.apply(adSession, "Inspector.targetCrashed", `{}`)
	_, err := k.cdp(t.Context(), callOf(`{"method":"Runtime.evaluate","frame_id":"F-AD"}`))
	if fault.CodeOf(err) != fault.NavigationFailed || !strings.Contains(err.Error(), "nothing was sent") || len(task.commands()) != 0 {
		t.Errorf("err = %v, sent %v", err, task.commands())
	}
}
