package dialog_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"cdphost/host/dialog"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name string, v any) {
	t.Helper()
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", "golden", name+".json")
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), b.String()); d != "" {
		t.Errorf("%s (run with -update to accept):\n%s", path, d)
	}
}

// view is what a snapshot shows of a queue.
type view struct {
	Pending []dialog.Dialog `json:"pending_dialogs"`
	Recent  []dialog.Closed `json:"recent_dialogs,omitempty"`
}

func TestJSON(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		arrange func(*testing.T, *dialog.Queue)
	}{
		{"contract", func(t *testing.T, q *dialog.Queue) {
			q.Open(t0, dialog.Opened{Type: dialog.Alert, Message: "Hello", URL: "https://example.com/", FrameID: "FRAME_A", TargetID: "FRAME_A", TabID: "t1", SessionID: "S"})
			q.Closed(at(0.1), "S", "FRAME_A", true, "")
			q.Open(at(60.25), dialog.Opened{Type: dialog.Alert, Message: "Hello", URL: "https://example.com/", FrameID: "FRAME_A", TargetID: "FRAME_A", TabID: "t1", SessionID: "S"})
		}},
		{"states", func(t *testing.T, q *dialog.Queue) {
			held(t, q, prompt("A", "blue"))
			answer(t, q, held(t, q, bridged("B", "F")), "accept")
			held(t, q, native("C"))
			q.Orphan(target("C"), "it opened before the attach")
		}},
		{"closed", func(t *testing.T, q *dialog.Queue) {
			s, _ := q.Answer(at(1), held(t, q, prompt("A", "blue")), "accept", ptr("red"), dialog.Agent)
			q.Closed(at(1), "SA", "A", true, "red")
			q.Confirmed(at(1), s)
			op := q.Open(at(2), native("A"))
			s, _ = q.Decide(at(2), op.ID, op.Generation, dialog.Verdict{Do: "dismiss", Reason: "rule 3"})
			q.Confirmed(at(2), s)
			held(t, q, native("A"))
			q.Gone(at(3), target("A"), dialog.ReasonNavigation)
			held(t, q, native("A"))
			q.Confirmed(at(4), q.Expired(at(400))[0])
			for range 9 {
				q.Open(at(500), native("F"))
				q.Closed(at(500.5), "SF", "F", false, "")
			}
		}},
		{"long", func(t *testing.T, q *dialog.Queue) {
			o := prompt("A", strings.Repeat("é", 20_000))
			o.Message = strings.Repeat("😀", 10_240)
			o.URL = "data:text/html," + strings.Repeat("x", 100_000)
			held(t, q, o)
		}},
		{"hostile", func(t *testing.T, q *dialog.Queue) {
			o := native("A")
			o.Type = "alert\x00"
			o.Message = "nul \x00, escape \x1b[31m, half a rune \xc3, delete \x7f, next line \u0085, tab\tand\r\nlines, <b>&</b> \u2028"
			held(t, q, o)
			q.Closed(at(1), "SA", "", true, "\xff\x00")
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			q := dialog.NewQueue(dialog.Options{FloodPerSecond: 4})
			tc.arrange(t, q)
			golden(t, tc.name, view{q.Pending(), q.Recent()})
		})
	}
}

func FuzzText(f *testing.F) {
	f.Add("plain", 3)
	f.Add("é\xff\xff\x00😀", 3)
	f.Fuzz(func(t *testing.T, s string, n int) {
		n = n%5000 + 1
		if n < 1 {
			n = 1
		}
		q := dialog.NewQueue(dialog.Options{MessageCap: n})
		o := prompt("T", s)
		o.Message, o.URL = s, s
		id := q.Open(t0, o).ID
		d, _ := q.Lookup(id)
		for _, text := range []string{d.Message, d.DefaultPrompt, d.URL} {
			if !utf8.ValidString(text) || strings.ContainsAny(text, "\x00\x1b") {
				t.Errorf("%q became %q", s, text)
			}
		}
		whole := utf8.RuneCountInString(strings.ToValidUTF8(s, "\uFFFD"))
		if c := utf8.RuneCountInString(d.Message); c != min(n, whole) || d.MessageTruncated != (whole > n) {
			t.Errorf("%d of %d characters, truncated %v", c, whole, d.MessageTruncated)
		}
		if _, err := json.Marshal(q.Pending()); err != nil {
			t.Error(err)
		}
	})
}

func TestParse(t *testing.T) {
	t.Parallel()
	o, err := dialog.ParseOpening([]byte(`{"url":"https://a.test/","frameId":"F","message":"\ud800 lone","type":"prompt","hasBrowserHandler":true,"defaultPrompt":"d"}`))
	want := dialog.Opened{Type: dialog.Prompt, Message: "\uFFFD lone", DefaultPrompt: "d", URL: "https://a.test/", FrameID: "F"}
	if d := cmp.Diff(want, o); err != nil || d != "" {
		t.Errorf("%v\n%s", err, d)
	}
	frame, result, input, err := dialog.ParseClosed([]byte(`{"frameId":"F","result":true,"userInput":"typed"}`))
	if err != nil || frame != "F" || !result || input != "typed" {
		t.Errorf("%q %v %q %v", frame, result, input, err)
	}
	frame, result, input, err = dialog.ParseClosed([]byte(`{"result":false}`))
	if err != nil || frame != "" || result || input != "" {
		t.Errorf("%q %v %q %v", frame, result, input, err)
	}
	if _, err := dialog.ParseOpening([]byte(`{"url":`)); err == nil {
		t.Error("half an event was taken")
	}
	if _, _, _, err := dialog.ParseClosed([]byte(`[]`)); err == nil {
		t.Error("an array was taken")
	}
}
