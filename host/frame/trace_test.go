package frame_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cdphost/host/frame"
)

// line is one line of a recorded trace; see testdata/README.md.
type line struct {
	SessionID string          `json:"sessionId"`
	Method    string          `json:"method"`
	Params    json.RawMessage `json:"params"`

	Truth   []truth `json:"truth"`
	Top     string  `json:"top"`
	Session string  `json:"session"`
}

// truth is a frame as the browser's own frame trees had it at the end.
type truth struct {
	ID, ParentID, URL, LoaderID, SecurityOrigin, SessionID string
}

func readTrace(t *testing.T, name string) []line {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "traces", name+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var lines []line
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		var l line
		if err := json.Unmarshal(s.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, l)
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return lines
}

// replay feeds a line to the table as the link would.
func replay(t *testing.T, table *frame.Table, l line) frame.Change {
	t.Helper()
	var target struct {
		SessionID  string
		TargetInfo struct{ TargetID, Type, URL, ParentFrameID string }
	}
	switch l.Method {
	case "":
		return frame.Change{}
	case "seed":
		if err := table.Seed(l.SessionID, l.Params); err != nil {
			t.Fatal(err)
		}
		return frame.Change{}
	case "reset":
		table.Reset()
		return frame.Change{}
	case "Target.attachedToTarget", "Target.detachedFromTarget", "attached":
		if err := json.Unmarshal(l.Params, &target); err != nil {
			t.Fatal(err)
		}
		if l.Method == "Target.detachedFromTarget" {
			return table.Detached(target.SessionID)
		}
		if i := target.TargetInfo; i.Type == "iframe" || l.Method == "attached" {
			return table.Attached(target.SessionID, i.TargetID, i.ParentFrameID, i.URL)
		}
		return frame.Change{}
	}
	c, err := table.Apply(l.SessionID, l.Method, l.Params)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// trueOrigins returns what the last execution context of each frame has.
func trueOrigins(t *testing.T, lines []line) map[string]string {
	t.Helper()
	origins := make(map[string]string)
	for _, l := range lines {
		if l.Method != "Runtime.executionContextCreated" {
			continue
		}
		var ev struct {
			Context struct {
				Origin  string
				AuxData struct{ FrameID string }
			}
		}
		if err := json.Unmarshal(l.Params, &ev); err != nil {
			t.Fatal(err)
		}
		o := ev.Context.Origin
		if o == "://" {
			o = "null"
		}
		origins[ev.Context.AuxData.FrameID] = o
	}
	return origins
}

// check compares the table with what the browser said at the end of the trace.
func check(t *testing.T, table *frame.Table, lines []line) {
	t.Helper()
	origins, end := trueOrigins(t, lines), lines[len(lines)-1]
	z := table.Freeze()
	order := make(map[string][]string) // session -> frames
	for f := range z.Frames() {
		if s, ok := z.SessionOf(f.ID); ok {
			order[s] = append(order[s], f.ID)
		}
	}
	want := make(map[string][]string)
	for _, w := range end.Truth {
		f, ok := z.Lookup(w.ID)
		if !ok {
			t.Errorf("frame %s (%s) is missing", w.ID, w.URL)
			continue
		}
		url := w.URL
		if url == "" {
			url = "about:blank"
		}
		if f.URL != url || f.ParentID != w.ParentID {
			t.Errorf("frame %s: url %q parent %q, want %q %q", w.ID, f.URL, f.ParentID, url, w.ParentID)
		}
		if f.LoaderID != w.LoaderID && f.LoaderID != "" {
			t.Errorf("frame %s: loader %q, want %q", w.ID, f.LoaderID, w.LoaderID)
		}
		if s, ok := z.SessionOf(w.ID); !ok || s != w.SessionID {
			t.Errorf("frame %s: session %q, want %q", w.ID, s, w.SessionID)
		}
		if o, ok := origins[w.ID]; ok && f.Origin != o {
			t.Errorf("frame %s: origin %q, want %q", w.ID, f.Origin, o)
		}
		if !f.Crashed && f.DefaultContext == "" && w.URL != "" {
			t.Errorf("frame %s has no execution context", w.ID)
		}
		want[w.SessionID] = append(want[w.SessionID], w.ID)
	}
	for s, ids := range want {
		if got := strings.Join(order[s], " "); got != strings.Join(ids, " ") {
			t.Errorf("session %s: document order %s, want %s", s, got, strings.Join(ids, " "))
		}
	}
	known := len(end.Truth)
	for f := range z.Frames() {
		if f.Crashed {
			known++ // it can't answer for itself
		}
	}
	if z.Len() != known {
		t.Errorf("%d frames, want %d: %s", z.Len(), known, z.AppendJSON(nil, frame.Limits{MaxChildren: -1, MaxOOPIFDepth: -1}))
	}
	frame.Verify(t, table)
}

// TestTraces replays what Chromium sent and compares with what it then said.
func TestTraces(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/traces/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal("no traces", err)
	}
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".jsonl")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lines := readTrace(t, name)
			end := lines[len(lines)-1]
			first := lines[0].SessionID
			table := frame.NewTable(end.Top, first)
			for _, l := range lines {
				replay(t, table, l)
				frame.Verify(t, table)
			}
			check(t, table, lines)
		})
	}
}

// TestLateStart joins a page that is there already, knowing nothing but its id.
func TestLateStart(t *testing.T) {
	t.Parallel()
	lines := readTrace(t, "reattach")
	end := lines[len(lines)-1]
	table := frame.NewTable(end.Top, "")
	started := false
	for _, l := range lines {
		if started {
			replay(t, table, l)
			frame.Verify(t, table)
		}
		started = started || l.Method == "reset"
	}
	check(t, table, lines)
}
