package supervisor

import (
	"bytes"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"cdphost/host/cdp"
	"cdphost/host/link"

	"github.com/chromedp/cdproto/runtime"
)

const (
	// consoleRingSize is how many errors a task remembers.
	consoleRingSize = 50
	// consoleTextCap bounds the text of an entry, in bytes.
	consoleTextCap = 1000
	// consoleFloodLimit is how many console events a session may send in a second.
	// Chrome delivers some 5,000 a second, and the page runs 4.5 times slower
	// while it does.
	consoleFloodLimit = 500
)

// ConsoleEntry is a console error or an uncaught exception.
type ConsoleEntry struct {
	Time    time.Time
	Level   string // "error", "assert", "exception", or "muted" for the ring's own word
	Text    string
	TabID   string
	URL     string
	Line    int64
	FrameID string
}

// consoleRing holds the newest entries.
type consoleRing struct {
	entries [consoleRingSize]ConsoleEntry
	n       uint64 // entries ever added
}

func (r *consoleRing) add(e ConsoleEntry) {
	e.Text = cutText(e.Text, consoleTextCap)
	r.entries[r.n%consoleRingSize] = e
	r.n++
}

func (r *consoleRing) list() []ConsoleEntry {
	k := min(r.n, consoleRingSize)
	out := make([]ConsoleEntry, 0, k)
	for i := r.n - k; i < r.n; i++ {
		out = append(out, r.entries[i%consoleRingSize])
	}
	return out
}

// consoleFlood counts a session's console events by the second, and mutes the
// session when they are too many. Each process of a page has a session of its own.
type consoleFlood struct {
	second int64
	count  int
	unmute *time.Timer // not nil while the session is muted
}

func (f *consoleFlood) over(now time.Time) bool {
	if sec := now.Unix(); sec != f.second {
		f.second, f.count = sec, 0
	}
	f.count++
	return f.count >= consoleFloodLimit
}

func (f *consoleFlood) stop() {
	if f.unmute != nil {
		f.unmute.Stop()
	}
}

// Console returns the task's last console errors and exceptions, oldest first.
func (s *Supervisor) Console() []ConsoleEntry {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.console.list()
}

// consoleEvent looks at Runtime.consoleAPICalled and Runtime.exceptionThrown.
// Only errors are decoded.
func (s *Supervisor) consoleEvent(fx *effects, t link.Target, ev cdp.Event) {
	p := s.pageLocked(t.PageID)
	if p == nil {
		return
	}
	ss := s.sessions[t.SessionID]
	if ss == nil || ss.console.unmute != nil {
		return
	}
	now := time.Now()
	if ss.console.over(now) {
		s.muteLocked(fx, p, ss, now)
		return
	}
	switch {
	case ev.Method == runtime.ExceptionThrown.Method:
		var e runtime.EventExceptionThrown
		if cdp.Unmarshal(ev.Params, &e) == nil && e.ExceptionDetails != nil {
			d := e.ExceptionDetails
			text := d.Text
			if d.Exception != nil && d.Exception.Description != "" {
				text = d.Exception.Description
			}
			s.console.add(ConsoleEntry{Time: now, Level: "exception", Text: text, TabID: p.TabID, URL: d.URL, Line: d.LineNumber + 1, FrameID: s.frameOfContext(p, t.SessionID, int64(d.ExecutionContextID))})
		}
	case mayBeConsoleError(ev.Params):
		var e runtime.EventConsoleAPICalled
		if cdp.Unmarshal(ev.Params, &e) != nil || !isConsoleError(e.Type) {
			return
		}
		entry := ConsoleEntry{Time: now, Level: string(e.Type), Text: consoleText(e.Args), TabID: p.TabID, FrameID: s.frameOfContext(p, t.SessionID, int64(e.ExecutionContextID))}
		if e.StackTrace != nil && len(e.StackTrace.CallFrames) > 0 {
			f := e.StackTrace.CallFrames[0]
			entry.URL, entry.Line = f.URL, f.LineNumber+1
		}
		s.console.add(entry)
	}
}

// mayBeConsoleError reads the type of a console call, which Chrome writes first.
// What a proxy has written anew is decoded to know.
func mayBeConsoleError(params []byte) bool {
	kind, first := bytes.CutPrefix(params, []byte(`{"type":"`))
	return !first || bytes.HasPrefix(kind, []byte(`error"`)) || bytes.HasPrefix(kind, []byte(`assert"`))
}

func isConsoleError(kind runtime.ConsoleAPICalledType) bool {
	return kind == runtime.ConsoleAPICalledTypeError || kind == runtime.ConsoleAPICalledTypeAssert
}

func consoleText(args []*runtime.RemoteObject) string {
	var b strings.Builder
	for i, a := range args {
		if i > 0 {
			b.WriteByte(' ')
		}
		switch {
		case a.Type == runtime.RemoteObjectTypeString && len(a.Value) > 1:
			var text string
			if cdp.Unmarshal(a.Value, &text) == nil {
				b.WriteString(text)
			}
		case a.Description != "":
			b.WriteString(a.Description)
		default:
			b.Write(a.Value)
		}
		if b.Len() > consoleTextCap {
			break
		}
	}
	return b.String()
}

// floodNotice is what a page's snapshot says while a session of it is muted.
const floodNotice = "its console floods and is not listened to for a while"

// muteLocked stops listening to the console of a page's session for a while.
func (s *Supervisor) muteLocked(fx *effects, p *pageState, ss *sessionState, now time.Time) {
	mute := s.settings.Load().ConsoleMute
	ss.console.unmute = time.AfterFunc(mute, func() { s.unmute(ss) })
	p.degrade(floodNotice)
	s.touch(p)
	s.console.add(ConsoleEntry{Time: now, Level: "muted", TabID: p.TabID,
		Text: fmt.Sprintf("the page writes %d console messages in a second; its console is not listened to for %s", consoleFloodLimit, mute)})
	fx.post(ss.target.SessionID, runtime.CommandDisable, nil, nil)
}

func (s *Supervisor) unmute(ss *sessionState) {
	s.update(func(fx *effects) {
		if s.stopped || s.sessions[ss.target.SessionID] != ss {
			return
		}
		ss.console = consoleFlood{}
		fx.post(ss.target.SessionID, runtime.CommandEnable, nil, nil)
		if p := s.pageLocked(ss.target.PageID); p != nil && !s.mutedLocked(p) {
			p.Degraded = removed(p.Degraded, floodNotice)
			s.touch(p)
		}
	})
}

func (s *Supervisor) mutedLocked(p *pageState) bool {
	for _, ss := range s.sessions {
		if ss.target.PageID == p.TargetID && ss.console.unmute != nil {
			return true
		}
	}
	return false
}

func removed(list []string, what string) []string {
	var out []string
	for _, v := range list {
		if v != what {
			out = append(out, v)
		}
	}
	return out
}

// cutText shortens text to n bytes without cutting a rune.
func cutText(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + "..."
}
