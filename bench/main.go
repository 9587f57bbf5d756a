// Command bench measures cdphost beside what a user would pick instead: the same
// machine, the same Chromium, the same pages, one run. It writes a table as
// Markdown and JSON. See README.md for what each row means.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime/debug"
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
	if len(os.Args) == 4 && os.Args[1] == "library" {
		return serveLibrary(os.Args[2], os.Args[3])
	}
	bin := flag.String("bin", "../bin/cdphost", "the cdphost to measure")
	chrome := flag.String("chrome", os.Getenv("CHROME_PATH"), "the Chromium that all use")
	out := flag.String("out", "results", "folder for table.md and table.json")
	tries := flag.Int("tries", 20, "tries for each row; some rows take more or fewer")
	only := flag.String("only", "", "semicolon-separated columns instead of all")
	growing := flag.Bool("growth", true, "measure growth, too")
	steps := flag.String("steps", "", "a regular expression for the steps to take, as they are told while it runs")
	flag.Parse()
	wanted, err := regexp.Compile(*steps)
	if err != nil {
		return err
	}
	if *chrome == "" {
		return errors.New("no browser: set CHROME_PATH or give -chrome")
	}
	self, err := filepath.Abs(*bin)
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch) //nolint:errcheck // temporary
	peers, err := allPeers(self, *chrome, scratch)
	if err != nil {
		return err
	}
	site, err := newSite()
	if err != nil {
		return err
	}
	defer site.close()
	us := peers[0]
	peers = choose(peers, *only)
	if len(peers) == 0 {
		return fmt.Errorf("-only %q names no column", *only)
	}
	r := &report{Date: time.Now(), Machine: machine(), Chromium: version(*chrome), Versions: versions(self), steps: wanted}
	for _, p := range peers {
		if p.library {
			r.Libraries = append(r.Libraries, p.name)
		} else {
			r.Peers = append(r.Peers, p.name)
		}
	}
	for _, p := range peers {
		fmt.Fprintln(os.Stderr, "measuring", p.name)
		b := &bench{ctx: ctx, peer: p, site: site, tries: *tries}
		measure(r, b, *chrome)
		b.restart()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := r.write(*out); err != nil { // what there is, should a later column end the run
			return err
		}
	}
	fmt.Fprintln(os.Stderr, "measuring", floorName)
	floor(ctx, r, *chrome, *tries)
	if *growing {
		fmt.Fprintln(os.Stderr, "measuring growth")
		r.Growth = grow(ctx, us, self, scratch, site, *tries)
	}
	if err := r.write(*out); err != nil {
		return err
	}
	fmt.Print(r.markdown())
	return nil
}

// measure fills all rows of one column whose steps are wanted.
func measure(r *report, b *bench, chrome string) {
	name := b.peer.name
	times := func(row string, samples []sample) { r.add(row, "ms", name, summarise(samples)) }
	step := func(row string, do func()) {
		if b.ctx.Err() == nil && r.steps.MatchString(row) {
			fmt.Fprintln(os.Stderr, "  ", row)
			do()
		}
	}
	step("start", func() {
		times("start to the first page", b.start())
		if n := b.schemas(); n > 0 {
			r.add("tool schemas", "B", name, stats{Value: float64(n)})
		}
	})
	step("evaluate", func() { times("evaluate `1`", b.evaluate()) })
	step("click", func() {
		effect, call := b.click()
		times("click, until the page has it", effect)
		times("click, until the call returns", call)
	})
	for _, n := range []int{100, 500, 2000} {
		row := fmt.Sprintf("snapshot of %d cards", n)
		step(row, func() {
			took, text := b.snapshot(n)
			times(row, took)
			if text != "" {
				r.add(row+", size", "B", name, stats{Value: float64(len(text))})
				r.add(row+", o200k tokens", "", name, tokens(b.ctx, text))
			}
		})
	}
	step("frame", func() {
		times("snapshot with an iframe of another site", b.frame())
		times("evaluate in an iframe of another site", b.inFrame())
	})
	step("flood", func() { times("evaluate `1` while the page logs 1,000 lines a second", b.flood()) })
	step("parallel", func() { times("two calls of 1 s at once", b.parallel()) })
	for _, way := range []string{"load", "click", "hover", "key", "evaluate", "popup", "frame"} {
		step("dialog by "+way, func() {
			d := b.dialog(way)
			times("dialog by "+way+", until told", d.told)
			times("dialog by "+way+", answer until the page goes on", d.resumed)
		})
	}
	b.restart()
	step("policy", func() { b.answered(r) })
	if b.peer.join != nil {
		step("drop", func() { times("connection cut, until a call works on the same page", b.dropped(chrome)) })
	}
	if !procs {
		return
	}
	if !b.peer.library {
		step("kill", func() {
			times("browser killed, until a page shows again", b.browserKilled())
			r.add("processes left 5 s after the client was killed", "", name, b.leftovers(vanish))
			r.add("processes left 5 s after the server was killed", "", name, b.leftovers(func(s *session) { kill(s.cmd.Process.Pid) }))
		})
	}
	if b.peer.crowd != nil {
		step("crowd", func() { b.crowd(r) })
	}
}

func allPeers(self, chrome, scratch string) ([]*peer, error) {
	peers, err := products(self, chrome, scratch)
	if err != nil {
		return nil, err
	}
	bench, err := os.Executable()
	if err != nil {
		return nil, err
	}
	more, err := libraries(bench, chrome)
	return append(peers, more...), err
}

func choose(all []*peer, only string) []*peer {
	if only == "" {
		return all
	}
	names := strings.Split(only, ";")
	return slices.DeleteFunc(slices.Clone(all), func(p *peer) bool { return !slices.Contains(names, p.name) })
}

func version(argv ...string) string {
	out, err := exec.Command(argv[0], append(argv[1:], "--version")...).Output()
	if err != nil {
		return "unknown"
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// versions tells of each column what it is and how it is set.
func versions(self string) map[string]string {
	v := map[string]string{ours: version(self) + ", built-in configuration", floorName: "a websocket and nothing else"}
	for name, pkg := range map[string]string{
		"Playwright MCP": "@playwright/mcp", "Chrome DevTools MCP": "chrome-devtools-mcp", "agent-browser": "agent-browser",
		"playwright-core": "playwright-core", "puppeteer-core": "puppeteer-core",
	} {
		var p struct {
			Version string `json:"version"`
		}
		data, err := os.ReadFile(filepath.Join("node_modules", pkg, "package.json"))
		if err == nil && json.Unmarshal(data, &p) == nil {
			v[name] = pkg + " " + p.Version + ", default settings, headless"
		}
	}
	v["agent-browser"] += "; all tools, weighed with core and tabs alone"
	v["Playwright MCP, no settle"] = "the same with timeouts.settle 0"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			switch m.Path {
			case "github.com/chromedp/chromedp":
				v["chromedp"] = m.Path + " " + m.Version + ", default options"
			case "github.com/go-rod/rod":
				v["go-rod"] = m.Path + " " + m.Version + ", default launcher"
			case "github.com/coder/websocket":
				v[floorName] = m.Path + " " + m.Version + ", " + v[floorName]
			}
		}
	}
	return v
}
