package frames

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/frame"
	"cdphost/host/supervisor"
)

// await waits until the host's state of the current page is as wanted.
func (a *agent) await(t testing.TB, what string, done func(*supervisor.Page) bool) *supervisor.Page {
	t.Helper()
	s := a.supervisor(t)
	snap, err := s.Wait(bound(t), func(snap *supervisor.Snapshot) bool {
		p, ok := snap.CurrentPage()
		return ok && done(p)
	})
	if err != nil {
		data, _ := json.Marshal(s.Snapshot())
		t.Fatalf("waiting for %s: %v; the snapshot is %s", what, err, data)
	}
	p, _ := snap.CurrentPage()
	return p
}

// frame waits for a loaded frame below the top one whose URL ends so, and returns it.
func (a *agent) frame(t testing.TB, suffix string) frame.Frame {
	t.Helper()
	var found frame.Frame
	a.await(t, "a frame "+suffix, func(p *supervisor.Page) bool {
		for f := range p.Frames.Frames() {
			_, reached := p.Frames.SessionOf(f.ID)
			if !f.Top && strings.HasSuffix(f.URL, suffix) && f.DefaultContext != "" && reached {
				found = f
				return true
			}
		}
		return false
	})
	return found
}

// loaded waits until the document of a frame is whole. Until then it may be the
// empty one that every frame starts with.
func (a *agent) loaded(t testing.TB, frameID string) {
	t.Helper()
	for ctx := bound(t); ; {
		reply, refused := a.call(t, "browser_cdp", cdptest.M{
			"method": "Runtime.evaluate", "frame_id": frameID,
			"params": cdptest.M{"expression": "document.readyState+document.URL"},
		})
		switch {
		case refused != nil && refused.Code == "sent_no_reply": // it went to its next document meanwhile
		case refused != nil:
			t.Fatalf("frame %s: %+v", frameID, refused)
		case cdptest.Field(reply, "result.result.value") == "complete"+a.url(t, frameID):
			return
		}
		if ctx.Err() != nil {
			t.Fatalf("frame %s never loaded", frameID)
		}
	}
}

// url is where the host has a frame.
func (a *agent) url(t testing.TB, frameID string) string {
	t.Helper()
	f, _ := a.page(t).Frames.Lookup(frameID)
	return f.URL
}

// later calls a tool while the test goes on.
func (a *agent) later(t testing.TB, tool string, args cdptest.M) <-chan *refusal {
	t.Helper()
	out := make(chan *refusal, 1)
	go func() {
		_, refused := a.call(t, tool, args)
		out <- refused
	}()
	return out
}

// result waits for what later promised.
func result(t testing.TB, c <-chan *refusal) *refusal {
	t.Helper()
	select {
	case r := <-c:
		return r
	case <-bound(t).Done():
		t.Fatal("the call never ended")
		return nil
	}
}

// wants checks a refusal.
func (r *refusal) wants(t testing.TB, code string, says ...string) {
	t.Helper()
	if r == nil {
		t.Fatalf("it worked; %s was expected", code)
	}
	if string(r.Code) != code {
		t.Errorf("%s, want %s", r.Details, code)
	}
	for _, text := range says {
		if !strings.Contains(string(r.Details), text) {
			t.Errorf("%s does not say %q", r.Details, text)
		}
	}
}

// background is a context for what has to be done after a test's own has ended.
func background() context.Context { return context.Background() }

// hasFrames reports whether a page has so many frames, all of them told.
func hasFrames(n int) func(*supervisor.Page) bool {
	return func(p *supervisor.Page) bool { return p.Frames.Len() == n }
}
