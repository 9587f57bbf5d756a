package plugins

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"cdphost/host/cdp/cdptest"
)

func TestOriginGuard(t *testing.T) {
	t.Parallel()
	page := cdptest.Paths{"/": `<title>page</title><button onclick="document.title='clicked'">Go</button>`}
	site := cdptest.Site(t, cdptest.Hosts{"*": page})
	h := serve(t, browser("must_respond")+fmt.Sprintf(
		"plugins:\n  origin-guard: {path: %q, config: {origins: [%q]}}\n", program("origin-guard"), site.URL("a.test", "")))
	a := h.agent()

	click := object{"type": "click", "selector": "button", "task_id": "one"}
	a.must("browser_navigate", object{"task_id": "one", "url": site.URL("a.test", "/")})
	a.must("browser", click)
	if got := a.evaluate("one", "document.title"); got != "clicked" {
		t.Errorf("after the click the title is %v", got)
	}

	a.must("browser_navigate", object{"task_id": "one", "url": site.URL("b.test", "/")})
	code, message := a.refused("browser", click)
	if want := "guard origin-guard refused Input.dispatchMouseEvent: input is not allowed on " + site.URL("b.test", ""); code != "denied" || !strings.Contains(message, want) {
		t.Errorf("got %s: %s, want %s", code, message, want)
	}
	if got := a.evaluate("one", "document.title"); got != "page" {
		t.Errorf("after the refusal the title is %v", got)
	}
	if s := h.plugins()["origin-guard"]; s.Calls == 0 {
		t.Errorf("the guard was never asked: %+v", s)
	}
}

func TestQuietHours(t *testing.T) {
	t.Parallel()
	h := serve(t, browser("quiet-hours")+quietHours("dismiss"))
	a := h.agent()
	const page = "data:text/html,<script>document.title=String(confirm('Buy?'))</script>"
	if out := a.must("browser_navigate", object{"task_id": "one", "url": page}); out["title"] != "false" {
		t.Errorf("got %v", out)
	}
	recent, _ := a.must("browser_snapshot", object{"task_id": "one"})["recent_dialogs"].([]any)
	if d, _ := recent[0].(object); len(recent) != 1 || d["closed_by"] != "auto_policy" || d["message"] != "Buy?" || d["note"] != "quiet hours" {
		t.Errorf("recorded are %v", recent)
	}

	h.configure(browser("quiet-hours") + quietHours("accept"))
	h.until("the new generation serves", func() bool { return h.plugins()["quiet-hours"].Generation == 2 })
	if out := a.must("browser_navigate", object{"task_id": "one", "url": page}); out["title"] != "true" {
		t.Errorf("after the swap: %v", out)
	}

	// A mistake in the file changes nothing and is told with its place.
	h.configure(browser("quiet-hours") + quietHours("maybe"))
	h.until("the mistake is told", func() bool {
		return toldMistake.MatchString(h.log.String())
	})
	if out := a.must("browser_navigate", object{"task_id": "one", "url": page}); out["title"] != "true" {
		t.Errorf("after the mistake: %v", out)
	}
	checkPlugins(t, h)
}

// toldMistake leaves the column open: the path of the program stands before it.
var toldMistake = regexp.MustCompile(`config\.yaml:4:\d+: plugins\.quiet-hours\.config\.do: \\"maybe\\" is not known \(allowed: accept, dismiss\)`)

// quietHours is the policy at all hours.
func quietHours(do string) string {
	return fmt.Sprintf("plugins:\n  quiet-hours: {path: %q, config: {from: \"00:00\", to: \"24:00\", do: %s}}\n", program("quiet-hours"), do)
}

// checkPlugins looks at what an operator sees of quiet-hours.
func checkPlugins(t *testing.T, h *host) {
	t.Helper()
	s := h.plugins()["quiet-hours"]
	if s.Version != "1.0.0" || len(s.Hooks) != 1 || s.Hooks[0] != "dialog-policy" || s.PID == 0 || s.Health != "ok" ||
		s.Calls == 0 || s.P50 <= 0 || s.P99 < s.P50 || s.Restarts != 0 {
		t.Errorf("got %+v", s)
	}
	table := h.run("plugins")
	header, rows, _ := strings.Cut(table, "\n")
	want := strings.Fields("NAME VERSION HOOKS PID GEN RESTARTS HEALTH QUEUE DROPS P50 P99")
	if got := strings.Fields(header); strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("the columns are %v, want %v", got, want)
	}
	for row := range strings.Lines(rows) {
		if len(strings.Fields(row)) != len(want) {
			t.Errorf("a cell is missing: %s", row)
		}
	}
	if row := fmt.Sprintf("quiet-hours  1.0.0    dialog-policy  %d", s.PID); !strings.Contains(rows, row) {
		t.Errorf("%q is not in\n%s", row, table)
	}
}

func TestPageTitleToolComesWithASwap(t *testing.T) {
	t.Parallel()
	site := cdptest.Site(t, cdptest.Hosts{"*": cdptest.Paths{"/": "<title>The title</title>"}})
	h := serve(t, browser("must_respond"))
	a := h.agent()
	if a.offers("page_title") {
		t.Error("page_title is offered without its plugin")
	}
	a.must("browser_navigate", object{"task_id": "one", "url": site.URL("a.test", "/")})

	h.configure(browser("must_respond") + fmt.Sprintf(`toolsets:
  browser: {tools: [browser_navigate, browser_snapshot, browser_dialog, browser_cdp, browser, page_title]}
plugins:
  page-title-tool: {path: %q, grants: {toolsets: [browser], methods: [Runtime.evaluate]}, config: {origins: [%q]}}
`, program("page-title-tool"), site.URL("a.test", "")))
	limit := time.NewTimer(waitLimit)
	defer limit.Stop()
	for !a.offers("page_title") {
		select {
		case <-a.changed:
		case <-limit.C:
			t.Fatal("the client was never told of the new tool")
		}
	}
	out := a.must("page_title", object{"task_id": "one"})
	if out["title"] != "The title" || out["url"] != site.URL("a.test", "/") {
		t.Errorf("got %v", out)
	}

	// before_send sees where the page is by now.
	a.must("browser_navigate", object{"task_id": "one", "url": site.URL("b.test", "/")})
	if code, message := a.refused("page_title", object{"task_id": "one"}); code != "domain_blocked" || message != "pages of "+site.URL("b.test", "")+" may not be read" {
		t.Errorf("got %s: %s", code, message)
	}
	if code, _ := a.refused("page_title", object{"task_id": "two"}); code != "task_not_found" {
		t.Errorf("of a task that is not there: %s", code)
	}
}
