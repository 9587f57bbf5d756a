package subagent_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"cdphost/host/subagent"
	"cdphost/host/subagent/modeltest"
)

// shelf keeps artifacts.
type shelf struct{ data map[string]string }

func (s *shelf) keep(name, mime, description string, data []byte) (subagent.Artifact, error) {
	if s.data == nil {
		s.data = map[string]string{}
	}
	s.data[name] = string(data)
	return subagent.Artifact{URI: "cdphost://artifact/" + name, Name: name, MIME: mime, Description: description, Size: int64(len(data))}, nil
}

func openDialog(_ context.Context, b *box, _ string) *subagent.Output {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.dialogs = []subagent.Dialog{{ID: "d-1", Type: "confirm", Message: "Place the order?", TabID: "t1", State: "held"}}
	return &subagent.Output{Failed: true, Reply: json.RawMessage(`{"ok":false,"action":"click","tabId":"t1",
		"error":{"code":"blocked_by_dialog","message":"d-1 blocks"},"pending_dialogs":[{"id":"d-1","message":"Place the order?"}]}`)}
}

func TestDialogIsAnswered(t *testing.T) {
	t.Parallel()
	s := modeltest.New(t,
		modeltest.Browse(`{"type":"click","uid":"e1"}`),
		modeltest.Use("browser_dialog", `{"action":"accept","dialog_id":"d-1"}`),
		modeltest.Complete("Ordered."))
	b := newBox()
	b.on["click"] = openDialog
	b.on["browser_dialog"] = func(_ context.Context, b *box, _ string) *subagent.Output {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.dialogs = nil
		return &subagent.Output{Reply: json.RawMessage(`{"success":true,"action":"accept","dialog":{"id":"d-1"}}`)}
	}
	res := run(t, job(model(t, s), b))
	if res.Status != subagent.Completed || res.Summary != "Ordered." || len(res.Dialogs) != 0 {
		t.Errorf("result = %+v", res)
	}
	if last := s.Requests()[1].Last(); !strings.Contains(last, "error blocked_by_dialog") || !strings.Contains(last, "Place the order?") {
		t.Errorf("the model was told %q", last)
	}
}

func TestDialogIsHandedUp(t *testing.T) {
	t.Parallel()
	s := modeltest.New(t, modeltest.Browse(`{"type":"click","uid":"e1"}`), modeltest.Complete("The rest is yours."))
	b, k := newBox(), &shelf{}
	b.on["click"] = openDialog
	j := job(model(t, s), b)
	j.Keep = k.keep
	res := run(t, j)
	if len(res.Dialogs) != 1 || !strings.Contains(res.Summary, `the confirm dialog d-1 on tab t1, which says "Place the order?"`) {
		t.Errorf("result = %+v", res)
	}
	if !strings.Contains(k.data["dialog-d-1.json"], `"id":"d-1"`) || res.Artifacts[0].Name != "dialog-d-1.json" {
		t.Errorf("artifacts = %+v, %v", res.Artifacts, k.data)
	}
}

func TestArtifacts(t *testing.T) {
	t.Parallel()
	s := modeltest.New(t, modeltest.Browse(`{"type":"screenshot"}`), modeltest.Complete("See screenshot-1.png."))
	b, k := newBox(), &shelf{}
	b.page = subagent.Page{TabID: "t1", URL: "http://shop.test/"}
	b.on["screenshot"] = picture
	j := job(model(t, s), b)
	j.Keep = k.keep
	res := run(t, j)
	if k.data["screenshot-1.png"] != "PNG" || !strings.Contains(k.data["page.md"], "view 1") || len(res.Artifacts) != 2 {
		t.Errorf("kept %v; artifacts %+v", k.data, res.Artifacts)
	}
	if last := s.Requests()[1]; last.Images() != 1 || !strings.Contains(last.Last(), "screenshot-1.png") {
		t.Errorf("the model sees %d pictures: %q", last.Images(), last.Last())
	}
}

// Older extracts and pictures are shortened, the newest stay whole, and what
// has settled never changes again.
func TestHistory(t *testing.T) {
	t.Parallel()
	overBoth(t, func(t *testing.T, model func(string) subagent.Model) {
		const turns = 12
		s := modeltest.Play(t, func(r *modeltest.Request) modeltest.Turn {
			switch {
			case r.Number > turns:
				return modeltest.Complete("Done.")
			case r.Number%3 == 0:
				return modeltest.Browse(`{"type":"screenshot"}`)
			}
			return modeltest.Browse(fmt.Sprintf(`{"type":"click","uid":"e%d"}`, r.Number))
		})
		b := newBox()
		b.on["screenshot"] = picture
		b.text = func(n int) string { return fmt.Sprintf("begin%d %s end%d.", n, strings.Repeat("word ", 1000), n) }
		run(t, job(model(s.URL), b))
		requests := s.Requests()
		last := requests[turns]
		if text := last.Text(); strings.Count(text, "begin") != 8 || strings.Count(text, "end") != 1 || !strings.Contains(text, "end8.") {
			t.Errorf("of 8 extracts, %d have a beginning and %d an end", strings.Count(text, "begin"), strings.Count(text, "end"))
		}
		if last.Images() != 2 {
			t.Errorf("%d pictures are shown, want the newest 2", last.Images())
		}
		for i := 1; i < turns; i++ {
			unchanged(t, requests[i], requests[i+1])
		}
	})
}

// unchanged checks that what a request marks as cacheable stands in the next one
// as it was.
func unchanged(t *testing.T, a, b *modeltest.Request) {
	t.Helper()
	for i, m := range a.Messages {
		if !m.Cached {
			continue
		}
		for k := 0; k <= i; k++ {
			if a.Messages[k].Text != b.Messages[k].Text {
				t.Errorf("message %d of request %d changed", k, a.Number)
			}
		}
	}
}

func TestLongHistoryIsFolded(t *testing.T) {
	t.Parallel()
	const turns = 60
	longest := 0
	s := modeltest.Play(t, func(r *modeltest.Request) modeltest.Turn {
		longest = max(longest, len(r.Raw))
		if r.Number > turns {
			return modeltest.Complete("Done.")
		}
		turn := wander(r)
		turn.Text = strings.Repeat("I think a lot. ", 600)
		return turn
	})
	j := job(model(t, s), newBox())
	j.Budget.Actions = 0
	res := run(t, j)
	if res.Status != subagent.Completed || res.Actions != turns {
		t.Fatalf("result = %+v", res)
	}
	if longest > 300<<10 {
		t.Errorf("the longest request has %d bytes", longest)
	}
	if text := s.Requests()[turns].Text(); !strings.Contains(text, "What you did so far") || !strings.Contains(text, "30. click e30: ok") {
		t.Errorf("folded turns are not listed")
	}
}

func TestTranscript(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "transcripts")
	scripts, err := subagent.NewTranscripts(dir, func(s string) string { return strings.ReplaceAll(s, "hunter2-hunter2", "[redacted]") })
	if err != nil {
		t.Fatal(err)
	}
	s := modeltest.New(t,
		modeltest.Turn{Status: 503},
		modeltest.Browse(`{"type":"click","uid":"hunter2-hunter2"}`),
		modeltest.Use("nothing", `{}`),
		modeltest.Complete("The secret is hunter2-hunter2."))
	j := job(model(t, s), newBox())
	j.Prompt, j.Task = "Use hunter2-hunter2.", "a/../b"
	a := subagent.New(subagent.Options{Transcripts: scripts, Sleep: (&naps{}).sleep})
	if _, err := a.Run(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 || !strings.Contains(files[0].Name(), "a_.._b") {
		t.Fatalf("files = %v, %v", files, err)
	}
	path := filepath.Join(dir, files[0].Name())
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode = %v, %v", info.Mode(), err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(data, []byte("hunter2")) || bytes.Contains(data, []byte(key)) {
		t.Errorf("a secret is told: %s", data)
	}
	var events []string
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		var e struct{ Event, Time string }
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil || e.Time == "" {
			t.Errorf("%s: %v", lines.Bytes(), err)
		}
		events = append(events, e.Event)
	}
	if got := strings.Join(events, " "); got != "start retry reply action look reply refused reply end" {
		t.Errorf("events = %s", got)
	}
}
