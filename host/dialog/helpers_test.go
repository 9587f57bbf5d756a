package dialog_test

import (
	"errors"
	"testing"
	"time"

	"cdphost/host/dialog"
	"cdphost/sdk/fault"
)

// t0 is when tests begin; at is so many seconds later.
var t0 = time.UnixMilli(1_650_000_000_000)

func at(seconds float64) time.Time { return t0.Add(time.Duration(seconds * float64(time.Second))) }

// native is a confirm of the top frame of target.
func native(target string) dialog.Opened {
	return dialog.Opened{
		Type: dialog.Confirm, Message: "Sure?", URL: "https://example.com/", FrameID: target, TargetID: target,
		TabID: "t-" + target, SessionID: "S" + target, Epoch: 1,
	}
}

// in is o, but of another frame of the page.
func in(o dialog.Opened, frame string) dialog.Opened { o.FrameID = frame; return o }

func prompt(target, def string) dialog.Opened {
	o := native(target)
	o.Type, o.DefaultPrompt = dialog.Prompt, def
	return o
}

func bridged(target, frame string) dialog.Opened {
	o := in(native(target), frame)
	o.Bridge, o.BridgeState = "bridge-debugger", []byte(frame)
	return o
}

func queue() *dialog.Queue { return dialog.NewQueue(dialog.Options{}) }

// held opens o and lets the policy hold it.
func held(t *testing.T, q *dialog.Queue, o dialog.Opened) string {
	t.Helper()
	op := q.Open(t0, o)
	if !op.Decide || op.Send != nil {
		t.Fatalf("opening %+v has nothing to decide", op)
	}
	if s, err := q.Decide(t0, op.ID, op.Generation, dialog.Verdict{Do: dialog.DoHold}); s != nil || err != nil {
		t.Fatalf("hold: %v, %v", s, err)
	}
	return op.ID
}

func answer(t *testing.T, q *dialog.Queue, id, action string) *dialog.Send {
	t.Helper()
	s, err := q.Answer(at(1), id, action, nil, dialog.Agent)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func wantCode(t *testing.T, err error, code fault.Code, text string) {
	t.Helper()
	var f *fault.Error
	if !errors.As(err, &f) || f.Code != code || f.Message != text {
		t.Errorf("error\n  %v, want\n  %s: %s", err, code, text)
	}
}

func wantState(t *testing.T, q *dialog.Queue, id string, want dialog.State) dialog.Dialog {
	t.Helper()
	d, ok := q.Lookup(id)
	if !ok || d.State != want {
		t.Errorf("dialog %s is %q, want %q", id, d.State, want)
	}
	return d
}

// wantClosed checks the newest closed dialog.
func wantClosed(t *testing.T, q *dialog.Queue, id string, by dialog.ClosedBy, action dialog.Action, reason string) dialog.Closed {
	t.Helper()
	recent := q.Recent()
	if len(recent) == 0 {
		t.Fatalf("nothing closed, want %s", id)
	}
	c := recent[len(recent)-1]
	if c.ID != id || c.ClosedBy != by || c.Action != action || c.Reason != reason {
		t.Errorf("closed %s by %s (%s) because %q, want %s by %s (%s) because %q", c.ID, c.ClosedBy, c.Action, c.Reason, id, by, action, reason)
	}
	if _, ok := q.Lookup(id); ok {
		t.Errorf("%s is still pending", id)
	}
	return c
}

func target(id string) func(*dialog.Dialog) bool {
	return func(d *dialog.Dialog) bool { return d.TargetID == id }
}

func ptr(s string) *string { return &s }
