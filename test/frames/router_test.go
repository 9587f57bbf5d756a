package frames

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/plugin"
)

// program builds the plugin as the program of its own that it can be.
func program(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "frames.exe")
	build := exec.CommandContext(bound(t), "go", "build", "-o", path, "./cmd/frames")
	build.Dir = filepath.Join("..", "..", "plugins", "frames")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return path
}

func pid(t *testing.T, h *host) int {
	t.Helper()
	status := h.plugins.Status()
	if len(status) != 1 {
		t.Fatalf("plugins: %+v", status)
	}
	return status[0].PID
}

func kill(t *testing.T, pid int) {
	t.Helper()
	p, err := os.FindProcess(pid)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Kill(); err != nil {
		t.Fatal(err)
	}
}

// Without its router a command for a frame fails; it never runs in the top page.
func TestRouterGone(t *testing.T) {
	t.Parallel()
	s := site(t)
	path := program(t)
	h := newHost(t, setup{registry: registry, wsURL: cdptest.SharedChrome(t).WSURL, limits: everything, plugin: plugin.Spec{
		Name: "frames", Path: path, Grants: plugin.Grants{All: true}, Config: json.RawMessage(`{"same_process":"evaluate"}`),
	}})
	a := newAgent(t, h, s.URL("a.test", "/"))
	a.atTop(t, add("src="+s.URL("b.test", "/leaf")))
	a.atTop(t, add("src="+s.URL("a.test", "/other")))
	remote, local, top := a.frame(t, "/leaf").ID, a.frame(t, "/other").ID, a.page(t).TargetID
	const count = "self.runs=(self.runs||0)+1"
	for _, f := range []string{top, remote, local} {
		if got := a.in(t, f, count); got != "1" {
			t.Fatalf("in %s it ran %s times", f, got)
		}
	}
	// Nothing can be started in its place.
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	kill(t, pid(t, h))
	for range 5 {
		for _, f := range []string{top, remote, local} {
			a.refused(t, "browser_cdp", cdptest.M{"method": "Runtime.evaluate", "frame_id": f, "params": cdptest.M{"expression": count}}).
				wants(t, "router_unavailable", "nothing was sent", f)
		}
	}
	// What names no frame needs no router; and that is how to look.
	for document, expression := range map[string]string{
		"the top page":   "String(self.runs)",
		"the local one":  "String(frames[1].runs)",
		"the page alone": "String(document.querySelectorAll('iframe').length-1)",
	} {
		if got := a.atTop(t, expression); got != "1" {
			t.Errorf("%s says %s", document, got)
		}
	}
	raw := a.send(t, a.frame(t, "/leaf").SessionID, "Runtime.evaluate", cdptest.M{"expression": "self.runs"})
	if got := cdptest.Field(raw, "result.value"); got != "1" {
		t.Errorf("in the remote frame it ran %s times", got)
	}
	// The rest of the product goes on.
	if got := cdptest.Field(a.must(t, "browser_snapshot", cdptest.M{"text": false}), "frame_tree.children.0.frame_id"); got != remote {
		t.Errorf("frame_tree starts with %s", got)
	}
}

// A router that can be started again is: no call is lost, none goes astray.
func TestRouterKilledAndBack(t *testing.T) {
	t.Parallel()
	s := site(t)
	h := newHost(t, setup{registry: registry, wsURL: cdptest.SharedChrome(t).WSURL, limits: everything, plugin: router("error")})
	a := newAgent(t, h, s.URL("a.test", "/"))
	a.atTop(t, add("src="+s.URL("b.test", "/leaf")))
	f := a.frame(t, "/leaf")
	before := pid(t, h)
	kill(t, before)
	for range 20 {
		if got := a.in(t, f.ID, "location.href"); got != f.URL {
			t.Fatalf("it ran in %s", got)
		}
	}
	if now := pid(t, h); now == before || now == 0 {
		t.Errorf("the router's process is %d, and was %d", now, before)
	}
}

// A changed configuration holds for the next call.
func TestRouterIsSwapped(t *testing.T) {
	t.Parallel()
	s := site(t)
	h := newHost(t, setup{registry: registry, wsURL: cdptest.SharedChrome(t).WSURL, limits: everything, plugin: router("error")})
	a := newAgent(t, h, s.URL("a.test", "/"))
	a.atTop(t, add("src="+s.URL("a.test", "/leaf")))
	f := a.frame(t, "/leaf")
	call := cdptest.M{"method": "Runtime.evaluate", "frame_id": f.ID, "params": cdptest.M{"expression": "location.href"}}
	a.refused(t, "browser_cdp", call).wants(t, "same_process_frame")
	if err := h.plugins.Apply(bound(t), []plugin.Spec{router("evaluate")}); err != nil {
		t.Fatal(err)
	}
	if got := cdptest.Field(a.must(t, "browser_cdp", call), "result.result.value"); got != f.URL {
		t.Errorf("it ran in %s", got)
	}
	if err := h.plugins.Apply(bound(t), nil); err != nil {
		t.Fatal(err)
	}
	a.refused(t, "browser_cdp", call).wants(t, "router_unavailable", "nothing was sent")
}
