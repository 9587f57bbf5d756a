package supervisor_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"cdphost/host/cdp"
	"cdphost/host/cdp/cdptest"
	"cdphost/host/dialog"
	"cdphost/host/endpoint"
	"cdphost/host/link"
	"cdphost/host/supervisor"

	"github.com/hashicorp/go-hclog"
)

// quick are link options whose waits are as short as a loaded machine allows.
func quick(t *testing.T) link.Options {
	t.Helper()
	return link.Options{
		JournalDir: t.TempDir(), NoStandby: true,
		BackoffMin: time.Millisecond, BackoffMax: 5 * time.Millisecond, MinUptime: time.Hour,
	}
}

// logs collects what a registry logs.
type logs struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *logs) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *logs) count(text string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.buf.String(), text)
}

func (l *logs) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

// logged is a registry whose log is kept.
func logged(t *testing.T, o supervisor.Options) (*supervisor.Registry, *logs) {
	t.Helper()
	out := &logs{}
	o.Logger = hclog.New(&hclog.LoggerOptions{Output: out, Level: hclog.Debug})
	r := supervisor.NewRegistry(o)
	t.Cleanup(func() { r.StopAll(context.Background()) })
	return r, out
}

// eventually polls a condition that nothing tells of.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	ctx := bound(t)
	for !done() {
		select {
		case <-time.After(2 * time.Millisecond):
		case <-ctx.Done():
			t.Fatalf("never: %s", what)
		}
	}
}

// contextsOf returns the browser contexts of a browser, as a second client sees
// them.
func contextsOf(t *testing.T, url string) []string {
	t.Helper()
	c := cdptest.Dial(t, url)
	defer c.Close()
	var r struct {
		BrowserContextIDs []string `json:"browserContextIds"`
	}
	if err := json.Unmarshal(c.Must(t, "", "Target.getBrowserContexts", nil), &r); err != nil {
		t.Fatal(err)
	}
	return r.BrowserContextIDs
}

// newPage opens a page and returns it with the mock's side of it.
func newPage(t *testing.T, m *cdptest.Server, s *supervisor.Supervisor) (*supervisor.Page, *cdptest.Page) {
	t.Helper()
	p, err := s.OpenPage(bound(t))
	if err != nil {
		t.Fatalf("OpenPage: %v", err)
	}
	return p, m.Page(p.TargetID)
}

// answer answers the one dialog that is pending, as an agent does.
func answer(t *testing.T, s *supervisor.Supervisor, a supervisor.DialogAnswer) dialog.Closed {
	t.Helper()
	a.By = dialog.Agent
	c, err := s.AnswerDialog(bound(t), a)
	if err != nil {
		t.Fatalf("AnswerDialog: %v", err)
	}
	return c
}

func newCommand(method string) cdp.Command { return cdp.Command{Method: method} }

// gated dials once, and then only after gate is closed.
func gated(first *bool, gate <-chan struct{}) func(context.Context, endpoint.URL) (cdp.Transport, error) {
	return func(ctx context.Context, u endpoint.URL) (cdp.Transport, error) {
		if !*first { // the link dials one connection after another
			select {
			case <-gate:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		*first = false
		return endpoint.Dial(ctx, u, endpoint.DialOptions{})
	}
}

// idsOf returns the ids in the answer to Target.getTargets.
func idsOf(raw json.RawMessage) map[string]bool {
	var r struct {
		TargetInfos []struct{ TargetID string }
	}
	ids := map[string]bool{}
	if json.Unmarshal(raw, &r) == nil {
		for _, info := range r.TargetInfos {
			ids[info.TargetID] = true
		}
	}
	return ids
}
