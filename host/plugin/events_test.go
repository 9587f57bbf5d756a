//go:build unix

package plugin_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cdphost/host/plugin"
	"cdphost/host/supervisor"
)

func event(seq uint64, method, file string) supervisor.Event {
	params, _ := json.Marshal(map[string]string{"file": file})
	return supervisor.Event{Task: supervisor.Key{Caller: "c", TaskID: "t"}, Seq: seq, Method: method, Params: params, Time: time.Unix(1, 0)}
}

func lines(file string) []string {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}

func TestEventsKeepTheirOrder(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "events") // removed after the plugin has ended
	m := newManager(t)
	apply(t, m, spec("p", "good"))
	if got := m.EventMethods(); len(got) != 2 || got[0] != "Host.dialogOpened" {
		t.Errorf("methods %v", got)
	}
	for seq := range uint64(500) {
		m.Publish(event(seq, "Page.frameNavigated", file))
		m.Publish(event(9999, "Network.requestWillBeSent", file))
	}
	eventually(t, "all events", func() bool { return len(lines(file)) == 500 })
	for i, l := range lines(file) {
		if l != fmt.Sprint(i, " ", 0) {
			t.Fatalf("line %d is %q", i, l)
		}
	}
}

func TestEventsThatWaitAreDeliveredAtTheEnd(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "events") // removed after the plugin has ended
	m := newManager(t)
	apply(t, m, spec("p", "good"))
	for seq := range uint64(100) {
		m.Publish(event(seq, "Host.dialogOpened", file))
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	if n := len(lines(file)); n != 100 {
		t.Errorf("%d events", n)
	}
}

func TestStuckSubscriberLosesItsOwnEvents(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "events") // removed after the plugin has ended
	m := newManager(t, func(o *plugin.Options) { o.EventQueue, o.HealthInterval = 50, 100*time.Millisecond })
	apply(t, m, spec("p", "good"), spec("q", "events"))
	stop := event(0, "Page.test", "")
	stop.Params = json.RawMessage(`{"do":"stop"}`)
	m.Publish(stop)
	big := event(1, "Page.test", "")
	big.Params = json.RawMessage(`{"x":"` + strings.Repeat("x", 64<<10) + `"}`)
	for range 1000 {
		m.Publish(big)
	}
	s := statusOf(t, m, "p")
	if s.Dropped == 0 || s.QueueDepth > 50 {
		t.Errorf("got %+v", s)
	}
	eventually(t, "the stopped process is replaced and events flow", func() bool {
		m.Publish(event(2, "Page.test", file))
		return len(lines(file)) > 0 && statusOf(t, m, "p").Generation == 2
	})
	if _, dropped, _ := strings.Cut(lines(file)[0], " "); dropped == "0" {
		t.Error("the drops were not told")
	}
}

func TestEventsNeedGrants(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "events") // removed after the plugin has ended
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	m := newManager(t, func(o *plugin.Options) { o.Toolset = func(k supervisor.Key) string { return "ts-" + k.TaskID } })
	s := plugin.Spec{
		Name: "p", Path: self, Args: []string{"plugin-under-test", "events"}, Env: []string{"GORACE"},
		Grants: plugin.Grants{Toolsets: []string{"ts-t"}, Events: []string{"Page.frameNavigated"}},
	}
	apply(t, m, s)
	foreign := event(1, "Page.frameNavigated", file)
	foreign.Task.TaskID = "other"
	m.Publish(foreign)
	m.Publish(event(2, "Page.frameDetached", file))
	m.Publish(event(3, "Page.frameNavigated", file))
	eventually(t, "the event", func() bool { return len(lines(file)) > 0 })
	if got := lines(file); len(got) != 1 || got[0] != "3 0" {
		t.Errorf("got %v", got)
	}
}
