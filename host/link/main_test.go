package link_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"cdphost/host/cdp"
	"cdphost/host/cdp/cdptest"
	"cdphost/host/endpoint"
	"cdphost/host/link"

	"go.uber.org/goleak"
)

// hostEnv makes the test binary a host that is to be killed: see killed_test.go.
const hostEnv = "CDPHOST_LINK_TEST_HOST"

func TestMain(m *testing.M) {
	if arg := os.Getenv(hostEnv); arg != "" {
		if err := hostToBeKilled(arg); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		os.Exit(1)
	}
	goleak.VerifyTestMain(cdptest.Main(m))
}

// bound ends a wait that a fault would make endless.
func bound(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(cancel)
	return ctx
}

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

func spec(url string) endpoint.Spec {
	u, err := endpoint.ParseURL(url)
	if err != nil {
		panic(err)
	}
	return endpoint.Spec{Kind: endpoint.CDP, URL: u}
}

func options(t *testing.T) link.Options {
	t.Helper()
	return link.Options{JournalDir: t.TempDir(), NoStandby: true, BackoffMin: time.Millisecond, BackoffMax: time.Millisecond}
}

func open(t *testing.T, s endpoint.Spec, o link.Options) *link.Link {
	t.Helper()
	l, err := link.Open(bound(t), s, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func join(t *testing.T, l *link.Link) (*link.Member, *view) {
	t.Helper()
	v := &view{}
	m, err := l.Join(v)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Leave(context.Background(), nil) })
	return m, v
}

// view records what a link tells a task.
type view struct {
	mu       sync.Mutex
	attached []link.Target
	told     []string
}

func (v *view) tell(format string, args ...any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.told = append(v.told, fmt.Sprintf(format, args...))
}

func (v *view) heard(what string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, s := range v.told {
		if s == what {
			return true
		}
	}
	return false
}

func (v *view) sessionOf(targetID string) string {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, t := range v.attached {
		if t.TargetID == targetID {
			return t.SessionID
		}
	}
	return ""
}

func (v *view) EpochBegan(epoch uint64, fresh bool)                    { v.tell("began %d %v", epoch, fresh) }
func (v *view) Reconciled(epoch uint64, _ map[string]bool)             { v.tell("reconciled %d", epoch) }
func (v *view) CapabilitiesChanged()                                   {}
func (v *view) EpochEnded(epoch uint64, _ error, lost bool)            { v.tell("ended %d %v", epoch, lost) }
func (v *view) Setup(link.Target) []cdp.Command                        { return nil }
func (v *view) Ready(t link.Target)                                    { v.tell("ready %s", t.TargetID) }
func (v *view) Stalled(t link.Target)                                  { v.tell("stalled %s", t.TargetID) }
func (v *view) Detached(t link.Target)                                 { v.tell("detached %s", t.TargetID) }
func (v *view) Crashed(id string)                                      { v.tell("crashed %s", id) }
func (v *view) TargetChanged(id, url, _ string)                        { v.tell("url %s %s", id, url) }
func (v *view) Replaced(id, by string)                                 { v.tell("replaced %s by %s", id, by) }
func (v *view) Destroyed(id string)                                    { v.tell("destroyed %s", id) }
func (v *view) ExtraEvent(link.Target, cdp.Event)                      {}
func (v *view) Overheard(heard []link.Overheard)                       { v.tell("overheard %d", len(heard)) }
func (v *view) Event(_ link.Target, ev cdp.Event)                      { v.tell("event %s", ev.Method) }
func (v *view) SetupReply(link.Target, string, json.RawMessage, error) {}

func (v *view) Attached(t link.Target) {
	v.tell("attached %s", t.TargetID)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.attached = append(v.attached, t)
}

// second dials the second connection, which is the standby's, at another address.
func second(address string) func(context.Context, endpoint.URL) (cdp.Transport, error) {
	n := 0 // the link dials one connection after another
	return func(ctx context.Context, u endpoint.URL) (cdp.Transport, error) {
		if n++; n == 2 {
			var err error
			if u, err = endpoint.ParseURL(address); err != nil {
				return nil, err
			}
		}
		return endpoint.Dial(ctx, u, endpoint.DialOptions{})
	}
}
