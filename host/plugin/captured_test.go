//go:build unix

package plugin_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/hashicorp/go-hclog"

	"cdphost/host/capture"
	"cdphost/host/cdp/cdptest"
	"cdphost/host/endpoint"
	"cdphost/host/plugin"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// taskHost is a task on a mock browser whose handles a plugin's process holds.
type taskHost struct {
	mock     *cdptest.Server
	captures *capture.Manager
	page     *supervisor.Page
	manager  *plugin.Manager
}

func newTaskHost(t *testing.T, grants plugin.Grants) *taskHost {
	t.Helper()
	mock := cdptest.New(t, cdptest.Options{})
	registry := supervisor.NewRegistry(supervisor.Options{Logger: hclog.NewNullLogger()})
	t.Cleanup(func() { registry.StopAll(context.Background()) })
	u, err := endpoint.ParseURL(mock.URL())
	if err != nil {
		t.Fatal(err)
	}
	sup, err := registry.GetOrStart(t.Context(), supervisor.Key{Caller: "c", TaskID: "t"},
		endpoint.Spec{Kind: endpoint.CDP, URL: u}, supervisor.Settings{Toolset: "browser"})
	if err != nil {
		t.Fatal(err)
	}
	page, err := sup.OpenPage(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	h := &taskHost{mock: mock, captures: capture.NewManager(registry), page: page}
	h.manager = newManager(t, func(o *plugin.Options) { o.Host = plugin.Captured(h.captures) })
	self, err := os.Executable() // a builtin would reach everything
	if err != nil {
		t.Fatal(err)
	}
	apply(t, h.manager, plugin.Spec{
		Name: "p", Path: self, Args: []string{"plugin-under-test", "good"}, Env: []string{"GORACE"}, Grants: grants,
	})
	return h
}

var everything = plugin.Grants{Toolsets: []string{"browser"}, Methods: []string{"*"}, Events: []string{"*"}}

func TestAPluginUsesATask(t *testing.T) {
	t.Parallel()
	h := newTaskHost(t, everything)
	h.mock.Page(h.page.TargetID).Navigate("http://shop.test/")
	eventually(t, "the page has moved", func() bool {
		out, err := callTool(t, h.manager, "cdp", map[string]any{"do": "task validated", "text": "location.href"})
		return err == nil && out["origin"] == "http://shop.test"
	})
	out, err := callTool(t, h.manager, "cdp", map[string]any{"do": "task validated", "text": "location.href"})
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range map[string]any{
		"session": h.page.SessionID, "tab": h.page.TabID, "target": h.page.TargetID, "origin": "http://shop.test", "own": true, "foreign": true, "cdp": -32601.0,
	} {
		if fmt.Sprint(out[k]) != fmt.Sprint(want) {
			t.Errorf("%s is %v, want %v", k, out[k], want)
		}
	}
	sent := h.mock.Sent("Runtime.evaluate")
	if got := string(sent[len(sent)-1].Params); got != out["params"] || !strings.Contains(got, "uniqueContextId") {
		t.Errorf("the browser got %s, before_send saw %v", got, out["params"])
	}
	if !strings.Contains(fmt.Sprint(out["result"]), "http://shop.test/") {
		t.Errorf("result = %v", out["result"])
	}
	if n := len(h.mock.Sent("Page.stopLoading")); n != 0 {
		t.Error("a command arrived that before_send had refused")
	}
}

func TestAPluginReadsATasksEvents(t *testing.T) {
	t.Parallel()
	h := newTaskHost(t, everything)
	out, err := callTool(t, h.manager, "cdp", map[string]any{"do": "task events", "text": "http://shop.test/basket"})
	if err != nil {
		t.Fatal(err)
	}
	if want := "Page.frameNavigated " + h.page.TabID; out["event"] != want {
		t.Errorf("event = %v, want %s", out["event"], want)
	}
}

func TestAPluginIsHeldToItsGrants(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		grants plugin.Grants
		args   map[string]any
		code   fault.Code
	}{
		"no toolset":     {plugin.Grants{Methods: []string{"*"}}, map[string]any{"do": "task call", "method": "Page.stopLoading"}, fault.NotGranted},
		"another method": {plugin.Grants{Toolsets: []string{"*"}, Methods: []string{"Runtime.*"}}, map[string]any{"do": "task call", "method": "Page.stopLoading"}, fault.NotGranted},
		"no events":      {plugin.Grants{Toolsets: []string{"*"}, Methods: []string{"*"}}, map[string]any{"do": "task events"}, fault.NotGranted},
		"no such task":   {everything, map[string]any{"do": "task call", "method": "Page.stopLoading", "task": "other"}, fault.CaptureInvalid},
		"refused by all": {everything, map[string]any{"do": "task call", "method": "Browser.close"}, fault.NotYours},
		"granted":        {plugin.Grants{Toolsets: []string{"browser"}, Methods: []string{"Page.stopLoading"}}, map[string]any{"do": "task call", "method": "Page.stopLoading"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newTaskHost(t, c.grants)
			_, err := callTool(t, h.manager, "cdp", c.args)
			if got := fault.CodeOf(err); got != c.code {
				t.Errorf("got %v, want %q", err, c.code)
			}
		})
	}
}

func TestAPluginsCallInFlightEndsWithTheConnection(t *testing.T) {
	t.Parallel()
	h := newTaskHost(t, everything)
	h.mock.Hang("Network.getCookies")
	type result struct {
		out map[string]any
		err error
	}
	done := make(chan result, 1)
	go func() {
		out, err := callTool(t, h.manager, "cdp", map[string]any{"do": "task await", "method": "Network.getCookies"})
		done <- result{out, err}
	}()
	h.mock.MustReceive(t, "Network.getCookies", 1)
	h.mock.Drop()
	r := <-done
	if r.err != nil || r.out["invalid"] != true || r.out["valid"] != false {
		t.Errorf("got %v, %v", r.out, r.err)
	}
}

func TestWhatAKilledPluginMadeIsUndone(t *testing.T) {
	t.Parallel()
	h := newTaskHost(t, everything)
	out, err := callTool(t, h.manager, "cdp", map[string]any{"do": "task make"})
	if err != nil {
		t.Fatal(err)
	}
	pid, ok := out["pid"].(float64)
	if !ok || h.captures.Handles() == 0 {
		t.Fatalf("got %v and %d handles", out, h.captures.Handles())
	}
	if err := syscall.Kill(int(pid), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{
		"Page.removeScriptToEvaluateOnNewDocument", "Runtime.removeBinding", "Network.disable", "Fetch.disable", "Debugger.disable", "Target.closeTarget",
	} {
		h.mock.MustReceive(t, method, 1)
	}
	eventually(t, "all handles are released", func() bool { return h.captures.Handles() == 0 })
	eventually(t, "the plugin is back", func() bool {
		_, err := callTool(t, h.manager, "cdp", map[string]any{"do": "task call", "method": "Page.stopLoading"})
		return err == nil
	})
}
