package capture_test

import (
	"context"
	"encoding/json"
	"testing"

	"cdphost/host/capture"
)

// unmatched is a source of guards none of which wants the method.
func unmatched() capture.GuardSource {
	wanted := map[string][]capture.Guard{"Input.insertText": {fakeGuard{name: "g"}}}
	return func(method string) []capture.Guard { return wanted[method] }
}

func TestUnmatchedGuardsAllocateNothing(t *testing.T) { //nolint:paralleltest // others would allocate meanwhile
	h := onMock(t)
	handle := h.capture(t, trusted)
	ctx := context.Background()
	call := func() {
		if _, err := handle.Call(ctx, "Page.stopLoading", nil, capture.OnSession(h.page.SessionID)); err != nil {
			t.Fatal(err)
		}
	}
	without := testing.AllocsPerRun(300, call)
	h.captures.SetGuards(unmatched())
	with := testing.AllocsPerRun(300, call)
	// The mock and the connection's goroutines allocate in the same process.
	if with > without+2 {
		t.Errorf("%v allocations a call with unmatched guards, %v without", with, without)
	}
	asked := testing.AllocsPerRun(1000, func() {
		if unmatched := h.captures.GuardsFor("Page.stopLoading"); unmatched != nil {
			t.Fatal(unmatched)
		}
	})
	if asked != 0 {
		t.Errorf("%v allocations to find that no guard is asked", asked)
	}
}

func BenchmarkUnmatchedGuard(b *testing.B) {
	m := capture.NewManager(newRegistry())
	m.SetGuards(unmatched())
	b.ReportAllocs()
	for b.Loop() {
		if m.GuardsFor("Runtime.evaluate") != nil {
			b.Fatal("a guard matched")
		}
	}
}

func BenchmarkCall(b *testing.B) {
	h := onMock(b)
	handle := h.capture(b, trusted)
	for name, opts := range map[string][]capture.Option{
		"plain":       {capture.OnSession(h.page.SessionID)},
		"before_send": {capture.OnSession(h.page.SessionID), capture.WithBeforeSend(func(capture.Command, capture.Facts) error { return nil })},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := handle.Call(context.Background(), "Page.stopLoading", json.RawMessage(`{}`), opts...); err != nil {
					b.Fatal(err)
				}
			}
			h.mock.ForgetSent()
		})
	}
}
