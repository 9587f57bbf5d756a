package supervisor_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/supervisor"
)

func TestConsoleRing(t *testing.T) {
	t.Parallel()
	m := cdptest.New(t, cdptest.Options{})
	m.Serve("http://a.test/", cdptest.Document{Title: "one", Frames: []string{"http://a.test/f", "http://b.test/"}})
	s := taskOn(t, ownRegistry(t, quick(t)), m.URL(), supervisor.Settings{})
	p, mp := newPage(t, m, s)
	mp.Navigate("http://a.test/")
	frameID, _ := frameAt(t, s, p.TabID, "http://b.test/")
	wait(t, s, p.TabID, "all frames", func(p *supervisor.Page) bool { return p.Frames.Len() == 3 && p.LoadedLoader == p.LoaderID })
	began := time.Now()
	for i := range 60 {
		mp.Top().Console("log", "not an error")
		mp.Top().Console("error", fmt.Sprint("error ", i))
	}
	mp.Frame(frameID).Throw("TypeError: thrown in a frame")
	mp.Top().Console("error", strings.Repeat("long ", 1000))
	var ring []supervisor.ConsoleEntry
	eventually(t, "the last entry", func() bool {
		ring = s.Console()
		return len(ring) > 0 && strings.HasPrefix(ring[len(ring)-1].Text, "long ")
	})
	if len(ring) != 50 {
		t.Fatalf("%d entries, want 50", len(ring))
	}
	if first := ring[0]; first.Text != "error 12" || first.Level != "error" || first.FrameID != p.TargetID || first.TabID != p.TabID ||
		first.Time.Before(began) || first.URL != "http://a.test/" || first.Line != 1 {
		t.Errorf("first = %+v", first)
	}
	if e := ring[48]; e.Level != "exception" || e.FrameID != frameID || !strings.Contains(e.Text, "thrown in a frame") {
		t.Errorf("exception = %+v", e)
	}
	if n := len(ring[49].Text); n > 1100 {
		t.Errorf("a text of %d bytes is kept", n)
	}
}

// TestConsoleFlood: a session that floods is muted for a while, alone, and the
// ring and the snapshot say so.
func TestConsoleFlood(t *testing.T) {
	t.Parallel()
	m := cdptest.New(t, cdptest.Options{})
	s := taskOn(t, ownRegistry(t, quick(t)), m.URL(), supervisor.Settings{ConsoleMute: 200 * time.Millisecond})
	p, mp := newPage(t, m, s)
	q, mq := newPage(t, m, s)
	mp.Burst(2000, 200) // over the limit of a second, wherever the second turns
	degraded(t, s, p.TabID+": its console floods")
	disabled := m.MustReceive(t, "Runtime.disable", 1)
	if disabled[0].SessionID != p.SessionID {
		t.Errorf("session %s was muted, want %s", disabled[0].SessionID, p.SessionID)
	}
	mq.Top().Console("error", "of the other page")
	eventually(t, "the other page is heard", func() bool {
		for _, e := range s.Console() {
			if e.TabID == q.TabID {
				return true
			}
		}
		return false
	})
	muted := 0
	for _, e := range s.Console() {
		if e.Level == "muted" && e.TabID == p.TabID && strings.Contains(e.Text, "200ms") {
			muted++
		}
	}
	if muted != 1 {
		t.Errorf("the ring says it %d times: %+v", muted, s.Console())
	}
	// Two pages made two; the third is the end of the mute.
	if on := m.MustReceive(t, "Runtime.enable", 3)[2]; on.SessionID != p.SessionID {
		t.Errorf("session %s was unmuted", on.SessionID)
	}
	wait(t, s, p.TabID, "the notice to go", func(p *supervisor.Page) bool { return len(p.Degraded) == 0 })
}
