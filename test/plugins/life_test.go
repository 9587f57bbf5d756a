//go:build linux

package plugins

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"testing"

	"cdphost/host/cdp/cdptest"
)

// lives reports whether a process runs; a zombie does not.
func lives(pid int) bool {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	_, rest, _ := bytes.Cut(data, []byte(") "))
	return err == nil && !bytes.HasPrefix(rest, []byte("Z"))
}

// TestAStoppedSubscriberCostsNobodyElse stops the process that takes the events
// of everything, and goes on with everything.
func TestAStoppedSubscriberCostsNobodyElse(t *testing.T) {
	t.Parallel()
	site := cdptest.Site(t, cdptest.Hosts{"*": cdptest.Paths{"/": load}})
	h := serve(t, browser("quiet-hours")+quietHours("accept")+audit(`"*"`))
	a := h.agent()
	a.must("browser_navigate", object{"task_id": "before", "url": "about:blank"})
	stopped := h.plugins()["audit"].PID
	if err := syscall.Kill(stopped, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"one", "two"} {
		a.call("browser_navigate", object{"task_id": name, "url": site.URL("a.test", "/")})
		h.until(name+" is done", func() bool { return a.title(name) == "done" })
		if got := a.evaluate(name, "told.every(x => x)"); got != true {
			t.Errorf("%s: %v", name, got)
		}
		// A kilobyte in each event, more than the pipe to the plugin holds.
		a.evaluate(name, "for (let i = 0; i < 2000; i++) console.log('x'.repeat(1000))")
	}
	if s := h.plugins()["quiet-hours"]; s.Calls != 2*loadDialogs || s.Health != "ok" || s.Restarts != 0 {
		t.Errorf("another plugin: %+v", s)
	}
	h.until("the stopped process is replaced", func() bool {
		s := h.plugins()["audit"]
		return s.Restarts > 0 && s.PID != 0 && s.PID != stopped && !lives(stopped)
	})
}

// TestNoPluginOutlivesTheHost kills the host in a way that it can't clean up
// after.
func TestNoPluginOutlivesTheHost(t *testing.T) {
	t.Parallel()
	h := serve(t, browser("quiet-hours")+quietHours("accept")+audit(`"Host.*"`)+
		fmt.Sprintf("  origin-guard: {path: %q}\n  page-title-tool: {path: %q}\n", program("origin-guard"), program("page-title-tool")))
	h.agent().must("browser_navigate", object{"task_id": "one", "url": "about:blank"})
	running := h.plugins()
	if len(running) < len(examples) {
		t.Fatalf("running are %+v", running)
	}
	if err := h.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for name, s := range running {
		h.until(name+" is gone", func() bool { return !lives(s.PID) })
	}
}
