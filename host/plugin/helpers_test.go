//go:build unix

package plugin_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"

	"cdphost/host/dialog"
	"cdphost/host/plugin"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// newManager returns a manager whose builtins are the modes of undertest_test.go.
func newManager(tb testing.TB, change ...func(*plugin.Options)) *plugin.Manager {
	tb.Helper()
	o := plugin.Options{
		SelfArgs: []string{"plugin-under-test"}, StartTimeout: 5 * time.Second,
		HealthInterval: time.Hour, HealthTimeout: 200 * time.Millisecond, DrainTimeout: 5 * time.Second, StopTimeout: 300 * time.Millisecond,
		BackoffMin: 10 * time.Millisecond, BackoffMax: 50 * time.Millisecond, CoolDown: time.Hour,
	}
	for _, c := range change {
		c(&o)
	}
	m, err := plugin.New(o)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := m.Close(); err != nil {
			tb.Error(err)
		}
	})
	return m
}

func spec(name, mode string) plugin.Spec {
	return plugin.Spec{Name: name, Builtin: mode, Env: []string{"GORACE"}}
}

// configured is a good plugin with a configuration.
func configured(name, config string) plugin.Spec {
	s := spec(name, "good")
	s.Config = json.RawMessage(config)
	return s
}

func apply(tb testing.TB, m *plugin.Manager, specs ...plugin.Spec) {
	tb.Helper()
	if err := m.Apply(tb.Context(), specs); err != nil {
		tb.Fatal(err)
	}
}

// decide asks the policy "test" about a dialog with a message.
func decide(tb testing.TB, m *plugin.Manager, message string) (dialog.Verdict, error) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), 20*time.Second)
	defer cancel()
	return m.Policy("test").Decide(ctx, request(message))
}

func request(message string) supervisor.PolicyRequest {
	return supervisor.PolicyRequest{
		Task:   supervisor.Key{Caller: "c", TaskID: "t"},
		Dialog: dialog.Dialog{ID: "d-1", Opened: dialog.Opened{Type: dialog.Alert, Message: message}, OpenedAt: time.Unix(1, 0)},
		TopURL: "https://a.test/", FrameKind: supervisor.FrameTop,
	}
}

// mustDecide returns pid and generation of the process that decided.
func mustDecide(tb testing.TB, m *plugin.Manager, message string) (pid, generation int) {
	tb.Helper()
	v, err := decide(tb, m, message)
	if err != nil {
		tb.Fatalf("decide: %v", err)
	}
	if v.Text == nil {
		tb.Fatal("no text")
	}
	first, second, _ := strings.Cut(*v.Text, " ")
	pid, _ = strconv.Atoi(first)
	generation, _ = strconv.Atoi(second)
	return pid, generation
}

func wantCode(tb testing.TB, err error, code fault.Code) {
	tb.Helper()
	if !errors.Is(err, code) {
		tb.Fatalf("got error %v, want %s", err, code)
	}
}

// eventually polls a condition with a deadline.
func eventually(tb testing.TB, what string, ok func() bool) {
	tb.Helper()
	deadline := time.Now().Add(15 * time.Second)
	for !ok() {
		if time.Now().After(deadline) {
			tb.Fatalf("not in time: %s", what)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// logBuffer is a logger that keeps what it gets.
type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func (l *logBuffer) logger() hclog.Logger {
	return hclog.New(&hclog.LoggerOptions{Output: l, Level: hclog.Trace})
}

func callTool(tb testing.TB, m *plugin.Manager, name string, args map[string]any) (map[string]any, error) {
	tb.Helper()
	raw, err := json.Marshal(args)
	if err != nil {
		tb.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(tb.Context(), 20*time.Second)
	defer cancel()
	task := supervisor.Key{Caller: "c", TaskID: "t"}
	if s, ok := args["task"].(string); ok {
		task.TaskID = s
	}
	r, err := m.CallTool(ctx, name, plugin.ToolCall{Task: task, Arguments: raw})
	if err != nil {
		return nil, err
	}
	var out map[string]any
	if len(r.Structured) > 0 {
		if err := json.Unmarshal(r.Structured, &out); err != nil {
			tb.Fatal(err)
		}
	}
	return out, nil
}

func processLives(pid int) bool {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return runtime.GOOS != "linux" && syscall.Kill(pid, 0) == nil
	}
	_, rest, _ := bytes.Cut(data, []byte(") "))
	return !bytes.HasPrefix(rest, []byte("Z"))
}

func strconvItoa(n int) string { return strconv.Itoa(n) }

func statusOf(tb testing.TB, m *plugin.Manager, name string) plugin.Status {
	tb.Helper()
	for _, s := range m.Status() {
		if s.Name == name {
			return s
		}
	}
	tb.Fatalf("no plugin %s", name)
	return plugin.Status{}
}
