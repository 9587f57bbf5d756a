// Command bench measures cdphost beside what a user would pick instead: the same
// machine, the same Chromium, the same pages, one run. It writes a table as
// Markdown and JSON. See README.md for what each row means.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	bin := flag.String("bin", "../bin/cdphost", "the cdphost to measure")
	chrome := flag.String("chrome", os.Getenv("CHROME_PATH"), "the Chromium that all use")
	out := flag.String("out", "results", "folder for table.md and table.json")
	tries := flag.Int("tries", 20, "tries for each row; some rows take more or fewer")
	only := flag.String("only", "", "comma-separated peers instead of all")
	flag.Parse()
	self, err := filepath.Abs(*bin)
	if err != nil {
		return err
	}
	site, err := newSite()
	if err != nil {
		return err
	}
	defer site.close()
	peers := choose(allPeers(self, *chrome), *only)
	r := &report{Date: time.Now(), Machine: machine(), Chromium: version(*chrome), Versions: versions(self)}
	for _, p := range peers {
		r.Peers = append(r.Peers, p.name)
	}
	for _, p := range peers {
		fmt.Fprintln(os.Stderr, "measuring", p.name)
		measure(ctx, r, &bench{ctx: ctx, peer: p, site: site, tries: *tries})
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	floor(ctx, r, *chrome, site, *tries)
	if err := r.write(*out); err != nil {
		return err
	}
	fmt.Print(r.markdown())
	return nil
}

// measure fills all rows of one peer.
func measure(ctx context.Context, r *report, b *bench) {
	name := b.peer.name
	step := func(row string) { fmt.Fprintln(os.Stderr, "  ", row) }
	step("start")
	r.add("start to the first page", "ms", name, summarise(b.start()))
	if b.s != nil {
		r.add("tool schemas", "B", name, stats{Value: float64(b.s.schema)})
	}
	step("evaluate")
	r.add("evaluate `1`", "ms", name, summarise(b.evaluate()))
	step("click")
	effect, call := b.click()
	r.add("click, until the page has it", "ms", name, summarise(effect))
	r.add("click, until the call returns", "ms", name, summarise(call))
	for _, n := range []int{100, 500, 2000} {
		step(fmt.Sprint("snapshot ", n))
		took, text := b.snapshot(n)
		r.add(fmt.Sprintf("snapshot of %d cards", n), "ms", name, summarise(took))
		r.add(fmt.Sprintf("snapshot of %d cards, size", n), "B", name, stats{Value: float64(len(text))})
		r.add(fmt.Sprintf("snapshot of %d cards, o200k tokens", n), "", name, tokens(ctx, text))
	}
	step("frame")
	r.add("snapshot with an iframe of another site", "ms", name, summarise(b.frame()))
	step("parallel")
	r.add("two calls of 1 s at once", "ms", name, summarise(b.parallel()))
	if b.s != nil {
		server, browser := memory(b.s.cmd.Process.Pid)
		r.add("memory of the server", "KB", name, stats{Value: server})
		r.add("memory of its Chromium", "KB", name, stats{Value: browser})
	}
	for _, way := range []string{"load", "click", "hover", "key", "evaluate", "popup", "frame"} {
		step("dialog by " + way)
		d := b.dialog(way)
		r.add("dialog by "+way+", until told", "ms", name, summarise(d.told))
		r.add("dialog by "+way+", answer until the page goes on", "ms", name, summarise(d.resumed))
		if ctx.Err() != nil {
			return
		}
	}
	b.restart()
	step("kill")
	r.add("processes left 3 s after SIGKILL of the server", "", name, b.leftovers())
	b.restart()
}

func allPeers(self, chrome string) []*peer {
	uid := new(string)
	node := func(script string, args ...string) []string {
		path, err := filepath.Abs(filepath.Join("node_modules", script))
		if err != nil {
			panic(err) // no working directory
		}
		return append([]string{"node", path}, args...)
	}
	sandbox := os.Geteuid() == 0
	pw := []string{"--headless", "--executable-path", chrome, "--isolated"}
	dt := []string{"--headless", "--isolated", "--executablePath", chrome}
	ab := "--disable-gpu"
	if sandbox {
		pw, dt, ab = append(pw, "--no-sandbox"), append(dt, "--chromeArg=--no-sandbox"), ab+",--no-sandbox"
	}
	return []*peer{
		{name: "cdphost", argv: []string{self, "mcp"}, env: []string{"CHROME_PATH=" + chrome}, do: cdphost{}},
		{name: "Playwright MCP", argv: node("@playwright/mcp/cli.js", pw...), do: playwright{}},
		{name: "Chrome DevTools MCP", argv: node("chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js", dt...), do: devtools{uid}},
		{
			name: "agent-browser", argv: node("agent-browser/bin/agent-browser.js", "mcp", "--tools", "core,tabs"), do: agentBrowser{},
			env: []string{"AGENT_BROWSER_EXECUTABLE_PATH=" + chrome, "AGENT_BROWSER_ARGS=" + ab},
		},
	}
}

func choose(all []*peer, only string) []*peer {
	if only == "" {
		return all
	}
	names := strings.Split(only, ",")
	return slices.DeleteFunc(all, func(p *peer) bool { return !slices.Contains(names, p.name) })
}

func version(argv ...string) string {
	out, err := exec.Command(argv[0], append(argv[1:], "--version")...).Output()
	if err != nil {
		return "unknown"
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

func versions(self string) map[string]string {
	v := map[string]string{"cdphost": version(self), "raw CDP": "coder/websocket v1.8.15"}
	for name, pkg := range map[string]string{
		"Playwright MCP": "@playwright/mcp", "Chrome DevTools MCP": "chrome-devtools-mcp", "agent-browser": "agent-browser",
	} {
		var p struct {
			Version string `json:"version"`
		}
		data, err := os.ReadFile(filepath.Join("node_modules", pkg, "package.json"))
		if err == nil && json.Unmarshal(data, &p) == nil {
			v[name] = pkg + " " + p.Version + ", default settings, headless"
		}
	}
	return v
}
