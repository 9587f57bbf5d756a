package watch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"cdphost/host/capture"
	"cdphost/host/cdp"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

var task = supervisor.Key{Caller: "ada", TaskID: "shop"}

func newWatch(t *testing.T, o Options) *Watch {
	t.Helper()
	w := New(o)
	t.Cleanup(func() {
		if err := w.Close(context.Background()); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return w
}

func set(t *testing.T, w *Watch, s Settings) {
	t.Helper()
	c, err := w.Prepare(s, []string{"audit changed: file"})
	if err != nil {
		t.Fatal(err)
	}
	c.Commit()
}

// settled waits until everything that w was told is dealt with.
func settled(w *Watch) { w.feed.wait(func(l *ledger) { l.flush() }) }

func event(method string, params any) supervisor.Event {
	data, err := json.Marshal(params)
	if err != nil {
		panic(err)
	}
	return supervisor.Event{Task: task, Method: method, Params: data}
}

func closedDialog(by, action string) supervisor.Event {
	return event(supervisor.HostDialogClosed, map[string]any{
		"id": "d-1", "type": "confirm", "tab_id": "t1", "url": "https://shop.test/pay?card=4711", "message": "secret message",
		"closed_by": by, "action": action,
	})
}

// lines reads the audit file, with what changes from run to run checked and
// taken out.
func lines(t *testing.T, file string) []string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(string(data)) {
		var e map[string]any
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		text, _ := e["time"].(string)
		if _, err := time.Parse(time.RFC3339Nano, text); err != nil {
			t.Errorf("time: %v", err)
		}
		delete(e, "time")
		clean, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(clean))
	}
	return out
}

func TestAudit(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "audit.jsonl")
	w := newWatch(t, Options{PolicyPlugin: func(policy string) string { return "plugin of " + policy }})
	w.ToolCall(ToolCall{Tool: "unseen"}) // nothing is recorded yet
	set(t, w, Settings{AuditFile: file, Config: "v1"})

	w.ToolCall(ToolCall{
		Caller: "ada", Toolset: "browser", Tool: "browser_cdp", Args: []byte(`{"task_id":"shop"}`),
		Code: "denied", Duration: 12 * time.Millisecond,
	})
	w.Command(capture.Record{
		Task: task, Sender: "agent", Guards: []string{"kiosk"}, Reply: []byte(`{"ok":true}`),
		Command: capture.Command{SessionID: "S", Method: "Input.insertText", Params: json.RawMessage(`{"text":"hunter2"}`)},
	})
	w.Command(capture.Record{
		Task: task, Sender: "agent", Guards: []string{"kiosk"},
		Command: capture.Command{Method: "Browser.getVersion"},
		Err:     fault.New(fault.Denied, "no").With("guard", "kiosk"),
	})
	w.Event(event(supervisor.HostDialogOpened, map[string]any{"id": "d-1", "type": "confirm", "tab_id": "t1", "url": "https://shop.test/pay?card=4711", "message": "secret"}))
	w.Event(event(supervisor.HostDialogDecided, supervisor.DialogDecision{ID: "d-1", TabID: "t1", Policy: "rules", Do: "accept", Reason: "rules[2]"}))
	w.Event(closedDialog("auto_policy", "accept"))
	w.Event(event("Host.pageOpened", map[string]any{}))
	w.PluginRestarted("kiosk")
	settled(w)

	want := []string{
		`{"changes":["audit changed: file"],"config":"v1","kind":"config","seq":1}`,
		`{"args_sha256":"` + digest([]byte(`{"task_id":"shop"}`)) + `","caller":"ada","code":"denied","config":"v1","kind":"tool","ms":12,"seq":2,"task_id":"shop","tool":"browser_cdp","toolset":"browser"}`,
		`{"caller":"ada","config":"v1","guards":["kiosk"],"kind":"cdp","method":"Input.insertText","params_sha256":"` + digest([]byte(`{"text":"hunter2"}`)) + `","reply_bytes":11,"reply_sha256":"4062edaf750fb8074e7e83e0c9028c94e32468a8b6f1614774328ef045150f93","sender":"agent","seq":3,"session_id":"S","task_id":"shop"}`,
		`{"caller":"ada","code":"denied","config":"v1","denied_by":"kiosk","guards":["kiosk"],"kind":"cdp","method":"Browser.getVersion","sender":"agent","seq":4,"task_id":"shop"}`,
		`{"caller":"ada","config":"v1","dialog":{"id":"d-1","origin":"https://shop.test","tab_id":"t1","type":"confirm"},"kind":"dialog_opened","seq":5,"task_id":"shop"}`,
		`{"caller":"ada","config":"v1","dialog":{"id":"d-1","tab_id":"t1"},"do":"accept","kind":"dialog_decided","plugin":"plugin of rules","policy":"rules","reason":"rules[2]","seq":6,"task_id":"shop"}`,
		`{"caller":"ada","config":"v1","dialog":{"action":"accept","closed_by":"auto_policy","id":"d-1","origin":"https://shop.test","tab_id":"t1","type":"confirm"},"kind":"dialog_closed","seq":7,"task_id":"shop"}`,
		`{"config":"v1","kind":"plugin_restarted","plugin":"kiosk","seq":8}`,
	}
	got := lines(t, file)
	if len(got) != len(want) {
		t.Fatalf("%d lines, want %d:\n%s", len(got), len(want), strings.Join(got, "\n"))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("line %d\n got %s\nwant %s", i+1, got[i], want[i])
		}
	}
	if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

func TestAuditSaysWhatItLost(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "audit.jsonl")
	w := newWatch(t, Options{})
	set(t, w, Settings{AuditFile: file, Config: "v1"})
	settled(w)

	release := make(chan struct{})
	busy := make(chan struct{})
	w.feed.put(item{do: func(*ledger) { close(busy); <-release }})
	<-busy
	for range feedItems + 3 {
		w.PluginRestarted("p")
	}
	close(release)
	settled(w)
	got := lines(t, file)
	if n := len(got); n != 1+1+feedItems {
		t.Errorf("%d lines, want %d", n, 1+1+feedItems)
	}
	if want := `{"config":"v1","count":3,"kind":"dropped","seq":2}`; got[1] != want {
		t.Errorf("got %s, want %s", got[1], want)
	}
	if body := scrape(t, w); !strings.Contains(body, "cdphost_watch_dropped_total 3\n") {
		t.Errorf("the metrics do not say so:\n%s", body)
	}
}

func TestFeedIsBoundedInBytes(t *testing.T) {
	t.Parallel()
	f := newFeed(nil)
	release, busy := make(chan struct{}), make(chan struct{})
	f.put(item{do: func(*ledger) { close(busy); <-release }})
	<-busy
	for range 2 {
		f.put(item{weight: feedBytes + 1, do: func(*ledger) {}}) // the first one is alone
	}
	f.put(item{weight: 1, do: func(*ledger) {}})
	if got := f.dropped.Load(); got != 2 {
		t.Errorf("%d dropped, want 2", got)
	}
	close(release)
	f.close()
	if got := f.held.Load(); got != 0 {
		t.Errorf("%d bytes are still held", got)
	}
}

func TestAuditFollowsRotation(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("an open file can't be moved on Windows")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "audit.jsonl")
	w := newWatch(t, Options{})
	set(t, w, Settings{AuditFile: file})
	settled(w)
	if err := os.Rename(file, file+".1"); err != nil {
		t.Fatal(err)
	}
	w.PluginRestarted("p")
	settled(w)
	if n := len(lines(t, file+".1")); n != 1 {
		t.Errorf("the old file has %d lines, want 1", n)
	}
	if got := lines(t, file); len(got) != 1 || !strings.Contains(got[0], "plugin_restarted") {
		t.Errorf("the new file has %v", got)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	w.PluginRestarted("lost")
	settled(w)
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	w.PluginRestarted("p")
	settled(w)
	if got := lines(t, file); len(got) != 2 || !strings.Contains(got[0], `"count":1`) || !strings.Contains(got[0], "dropped") {
		t.Errorf("after a loss: %v", got)
	}
}

func TestPrepareRefusesWhatCanNotWork(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, s := range map[string]Settings{
		"no folder": {AuditFile: filepath.Join(dir, "missing", "audit.jsonl")},
		"a folder":  {AuditFile: dir},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWatch(t, Options{})
			_, err := w.Prepare(s, nil)
			if fault.CodeOf(err) != fault.ConfigInvalid {
				t.Errorf("err = %v", err)
			}
		})
	}
}

func TestSettingsAreDiscardedOrCommitted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	one, two := filepath.Join(dir, "one"), filepath.Join(dir, "two")
	w := newWatch(t, Options{})
	set(t, w, Settings{AuditFile: one})
	c, err := w.Prepare(Settings{AuditFile: two, OTLPEndpoint: "http://127.0.0.1:1"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	c.Discard()
	if w.Tracer() != nil {
		t.Error("a discarded endpoint gets spans")
	}
	w.PluginRestarted("p")
	settled(w)
	if n := len(lines(t, one)); n != 2 {
		t.Errorf("one has %d lines, want 2", n)
	}
	set(t, w, Settings{})
	w.PluginRestarted("p")
	settled(w)
	if n := len(lines(t, one)); n != 2 {
		t.Errorf("one has %d lines after the end, want 2", n)
	}
}

func scrape(t *testing.T, w *Watch) string {
	t.Helper()
	rec := httptest.NewRecorder()
	w.Handler().ServeHTTP(rec, httptest.NewRequest("GET", "/metrics", nil))
	if rec.Code != 200 {
		t.Fatalf("status %d: %s", rec.Code, rec.Body)
	}
	return rec.Body.String()
}

func TestMetrics(t *testing.T) {
	t.Parallel()
	w := newWatch(t, Options{
		Version: "1.2.3",
		Tasks:   func() Tasks { return Tasks{Known: 3, Attached: 2, Pages: 5, PendingDialogs: 1} },
		CDP: func() (cdp.Stats, int) {
			return cdp.Stats{Received: 7, BytesIn: 700, Sent: 4, BytesOut: 40, Oversized: 1}, 2
		},
		Plugins: func() []Plugin {
			return []Plugin{{Name: "dialog", Healthy: true, Calls: 9, Failures: 1, Restarts: 2, Queued: 3, Dropped: 4, InFlight: 1, P50: time.Millisecond, P99: time.Second}}
		},
	})
	w.ToolCall(ToolCall{Tool: "browser_navigate", Duration: 3 * time.Millisecond})
	w.ToolCall(ToolCall{Tool: "browser_navigate", Code: "timeout", Duration: 30 * time.Second})
	w.Event(closedDialog("agent", "accept"))
	w.Event(closedDialog("agent", "accept"))
	w.Event(closedDialog("remote", ""))
	settled(w)
	body := scrape(t, w)
	for _, want := range []string{
		`cdphost_build_info{go="` + runtime.Version() + `",version="1.2.3"} 1`,
		`cdphost_tasks{state="attached"} 2`, `cdphost_tasks{state="idle"} 1`, `cdphost_pages 5`, `cdphost_dialogs_pending 1`,
		`cdphost_dialogs_total{action="accept",closed_by="agent",type="confirm"} 2`,
		`cdphost_dialogs_total{action="none",closed_by="remote",type="confirm"} 1`,
		`cdphost_tool_duration_seconds_bucket{code="",tool="browser_navigate",le="0.005"} 1`,
		`cdphost_tool_duration_seconds_count{code="timeout",tool="browser_navigate"} 1`,
		`cdphost_cdp_messages_total{direction="in"} 7`, `cdphost_cdp_bytes_total{direction="out"} 40`, `cdphost_cdp_connections 2`,
		`cdphost_cdp_dropped_total{reason="oversized"} 1`,
		`cdphost_plugin_up{plugin="dialog"} 1`, `cdphost_plugin_calls_total{plugin="dialog"} 9`,
		`cdphost_plugin_failures_total{plugin="dialog"} 1`, `cdphost_plugin_restarts_total{plugin="dialog"} 2`,
		`cdphost_plugin_calls_in_flight{plugin="dialog"} 1`, `cdphost_plugin_events_queued{plugin="dialog"} 3`,
		`cdphost_plugin_events_dropped_total{plugin="dialog"} 4`,
		`cdphost_plugin_call_duration_seconds{plugin="dialog",quantile="0.99"} 1`,
		`cdphost_watch_dropped_total 0`, `go_goroutines `,
	} {
		if !strings.Contains(body, "\n"+want) {
			t.Errorf("no line %s", want)
		}
	}
	if t.Failed() {
		t.Log(body)
	}
}

func TestOriginOf(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"https://user:pass@shop.test:8443/pay?card=1": "https://shop.test:8443",
		"data:text/html,secret":                       "data:", "about:blank": "about:", "": "", "::": "",
	} {
		if got := originOf(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestDigestsHideWhatTheyStandFor(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	e := entry{}
	e.command(&capture.Record{Command: capture.Command{Params: json.RawMessage(`{"text":"hunter2"}`)}, Err: errors.New("hunter2")})
	if err := json.NewEncoder(&out).Encode(&e); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), "hunter2") {
		t.Errorf("it tells: %s", out.String())
	}
}
