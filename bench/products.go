package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// ours is the name of our own column.
const ours = "cdphost"

func products(self, chrome, scratch string) ([]*peer, error) {
	pw := []string{"--headless", "--executable-path", chrome, "--isolated"}
	dt := []string{"--headless", "--isolated", "--executablePath", chrome}
	ab := "--disable-gpu"
	if asRoot() {
		pw, dt, ab = append(pw, "--no-sandbox"), append(dt, "--chromeArg=--no-sandbox"), ab+",--no-sandbox"
	}
	settings := filepath.Join(scratch, "no-settle.json")
	if err := os.WriteFile(settings, []byte(`{"timeouts":{"settle":0}}`), 0o600); err != nil {
		return nil, err
	}
	pwCLI, dtCLI := script("@playwright/mcp/cli.js"), script("chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js")
	abCLI := script("agent-browser/bin/agent-browser.js")
	abEnv := []string{"AGENT_BROWSER_EXECUTABLE_PATH=" + chrome, "AGENT_BROWSER_ARGS=" + ab}
	us, err := cdphostPeer(self, chrome, scratch)
	if err != nil {
		return nil, err
	}
	playwrightCrowd := func(context.Context) (*session, error) { return playwrightHTTP(append(pwCLI, pw...)) }
	return []*peer{
		us,
		{
			name: "Playwright MCP", start: overMCP(append(pwCLI, pw...), nil), do: playwright{},
			join: func(ctx context.Context, ws string) (*session, error) {
				return startMCP(ctx, append(pwCLI, "--cdp-endpoint", ws), nil)
			},
			crowd: playwrightCrowd, another: playwrightAnother, crowdMax: 50,
		},
		{name: "Playwright MCP, no settle", start: overMCP(append(append(pwCLI, pw...), "--config", settings), nil), do: playwright{}},
		{
			name: "Chrome DevTools MCP", start: overMCP(append(dtCLI, dt...), nil), do: devtools{},
			join: func(ctx context.Context, ws string) (*session, error) {
				s, err := startMCP(ctx, append(dtCLI, "--wsEndpoint", ws), nil)
				if err != nil {
					return nil, err
				}
				if _, err := s.call(ctx, hangLimit, "new_page", map[string]any{"url": "about:blank"}); err != nil {
					s.close()
					return nil, err
				}
				return s, nil
			},
			crowd: overMCP(append(dtCLI, dt...), nil), crowdMax: 50,
			another: func(ctx context.Context, s *session, n int, url string) error {
				_, err := s.call(ctx, time.Minute, "new_page", map[string]any{"url": url, "isolatedContext": fmt.Sprint("c", n)})
				return err
			},
		},
		{
			// hover is in no profile but all; its schemas are weighed without that.
			name: "agent-browser", start: overMCP(append(abCLI, "mcp", "--tools", "all"), abEnv), do: agentBrowser{},
			lean:     overMCP(append(abCLI, "mcp", "--tools", "core,tabs"), abEnv),
			policies: []policy{{start: overMCP(append(abCLI, "mcp", "--tools", "all"), abEnv)}},
			join: func(ctx context.Context, ws string) (*session, error) {
				s, err := startMCP(ctx, append(abCLI, "mcp", "--tools", "all"), abEnv)
				if err != nil {
					return nil, err
				}
				if _, err := s.call(ctx, time.Minute, "agent_browser_connect", map[string]any{"target": ws}); err != nil {
					s.close()
					return nil, err
				}
				return s, nil
			},
			crowd: overMCP(append(abCLI, "mcp", "--tools", "all"), abEnv), crowdMax: 10,
			another: func(ctx context.Context, s *session, n int, url string) error {
				_, err := s.call(ctx, time.Minute, "agent_browser_open", map[string]any{"url": url, "session": fmt.Sprint("bench", n)})
				return err
			},
		},
	}, nil
}

// script is the command line of a program from npm.
func script(name string) []string {
	path, err := filepath.Abs(filepath.Join("node_modules", name))
	if err != nil {
		panic(err) // no working directory
	}
	argv := []string{"node", path}
	return argv[:2:2]
}

func overMCP(argv, env []string) func(context.Context) (*session, error) {
	return func(ctx context.Context) (*session, error) { return startMCP(ctx, argv, env) }
}

// cdphostPeer is our own column: with the built-in configuration, and with one for
// each way of answering dialogs.
func cdphostPeer(self, chrome, scratch string) (*peer, error) {
	env := []string{"CHROME_PATH=" + chrome}
	start := overMCP([]string{self, "mcp"}, env)
	p := &peer{name: ours, start: start, do: cdphost{}, crowd: start, crowdMax: 50}
	for _, way := range []struct{ name, bridge string }{{"", "none"}, {"bridge-debugger", "bridge-debugger"}, {"bridge-browserbase", "bridge-browserbase"}} {
		file := filepath.Join(scratch, way.bridge+".yaml")
		text := fmt.Sprintf("browser: {dialog_policy: auto_accept, dialog_bridge: %s}\n", way.bridge)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return nil, err
		}
		p.policies = append(p.policies, policy{way.name, overMCP([]string{self, "--config", file, "mcp"}, env)})
	}
	p.join = func(ctx context.Context, ws string) (*session, error) {
		s, err := start(ctx)
		if err != nil {
			return nil, err
		}
		if _, err := s.call(ctx, time.Minute, "browser_connect", map[string]any{"url": ws}); err != nil {
			s.close()
			return nil, err
		}
		return s, nil
	}
	p.another = func(ctx context.Context, s *session, n int, url string) error {
		_, err := s.call(ctx, time.Minute, "browser_navigate", map[string]any{"url": url, "task_id": fmt.Sprint("c", n)})
		return err
	}
	return p, nil
}

type cdphost struct{}

func (cdphost) navigate(ctx context.Context, s *session, l time.Duration, url string) error {
	_, err := s.call(ctx, l, "browser_navigate", map[string]any{"url": url})
	return err
}

func (cdphost) evaluate(ctx context.Context, s *session, l time.Duration, e string) (string, error) {
	return s.call(ctx, l, "browser", map[string]any{"type": "evaluate", "expression": e})
}

func (cdphost) act(ctx context.Context, s *session, l time.Duration, action string) error {
	args := map[string]any{"type": action, "selector": "#b"}
	if action == "press_key" {
		args = map[string]any{"type": action, "key": "a"}
	}
	_, err := s.call(ctx, l, "browser", args)
	return err
}

func (cdphost) snapshot(ctx context.Context, s *session, l time.Duration) (string, error) {
	return s.call(ctx, l, "browser_snapshot", nil)
}

func (cdphost) accept(ctx context.Context, s *session, l time.Duration) error {
	_, err := s.call(ctx, l, "browser_dialog", map[string]any{"action": "accept"})
	return err
}

func (cdphost) find(context.Context, *session) error { return nil }

func (c cdphost) findFrame(ctx context.Context, s *session) error {
	text, err := c.snapshot(ctx, s, hangLimit)
	if err != nil {
		return err
	}
	var snapshot struct {
		FrameTree struct {
			Children []struct {
				FrameID string `json:"frame_id"`
				URL     string `json:"url"`
			} `json:"children"`
		} `json:"frame_tree"`
	}
	if err := json.NewDecoder(strings.NewReader(text)).Decode(&snapshot); err != nil { // more text follows
		return err
	}
	for _, f := range snapshot.FrameTree.Children {
		if strings.Contains(f.URL, "other.") {
			s.ref = f.FrameID
			return nil
		}
	}
	return fmt.Errorf("no such frame in the snapshot")
}

func (cdphost) inFrame(ctx context.Context, s *session, l time.Duration, e string) (string, error) {
	return s.call(ctx, l, "browser", map[string]any{"type": "evaluate", "expression": e, "frame_id": s.ref})
}

type playwright struct{}

func (playwright) navigate(ctx context.Context, s *session, l time.Duration, url string) error {
	_, err := s.call(ctx, l, "browser_navigate", map[string]any{"url": url})
	return err
}

func (playwright) evaluate(ctx context.Context, s *session, l time.Duration, e string) (string, error) {
	return s.call(ctx, l, "browser_evaluate", map[string]any{"function": "() => " + e})
}

func (playwright) act(ctx context.Context, s *session, l time.Duration, action string) error {
	name := map[string]string{"click": "browser_click", "hover": "browser_hover", "press_key": "browser_press_key"}[action]
	args := map[string]any{"element": "the button", "target": "#b"}
	if action == "press_key" {
		args = map[string]any{"key": "a"}
	}
	_, err := s.call(ctx, l, name, args)
	return err
}

func (playwright) snapshot(ctx context.Context, s *session, l time.Duration) (string, error) {
	return s.call(ctx, l, "browser_snapshot", map[string]any{})
}

func (playwright) accept(ctx context.Context, s *session, l time.Duration) error {
	_, err := s.call(ctx, l, "browser_handle_dialog", map[string]any{"accept": true})
	return err
}

func (playwright) find(context.Context, *session) error { return nil }

var playwrightFramed = regexp.MustCompile(`button "inside the frame"[^\n]*\[ref=(\w+)\]`)

func (p playwright) findFrame(ctx context.Context, s *session) error {
	return s.note(playwrightFramed, func() (string, error) { return p.snapshot(ctx, s, hangLimit) })
}

func (playwright) inFrame(ctx context.Context, s *session, l time.Duration, e string) (string, error) {
	return s.call(ctx, l, "browser_evaluate", map[string]any{"element": "the button", "target": s.ref, "function": "element => " + e})
}

// note keeps the first group of a pattern in a snapshot as the session's ref.
func (s *session) note(pattern *regexp.Regexp, snapshot func() (string, error)) error {
	text, err := snapshot()
	if err != nil {
		return err
	}
	m := pattern.FindStringSubmatch(text)
	if m == nil {
		return fmt.Errorf("not in the snapshot: %s", firstLine(text))
	}
	s.ref = m[1]
	return nil
}

// playwrightHTTP starts Playwright MCP for many clients: each has a context of its own.
func playwrightHTTP(argv []string) (*session, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	addr := l.Addr().String()
	if err := l.Close(); err != nil {
		return nil, err
	}
	_, port, _ := net.SplitHostPort(addr)
	s, _, _, err := launch(append(argv, "--port", port, "--host", "127.0.0.1", "--allowed-hosts", "*"), nil)
	if err != nil {
		return nil, err
	}
	s.ref = "http://" + addr + "/mcp"
	for end := time.Now().Add(hangLimit); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if c, err := net.Dial("tcp", addr); err == nil {
			return s, c.Close()
		}
	}
	s.kill()
	return nil, fmt.Errorf("playwright does not listen on %s", addr)
}

func playwrightAnother(ctx context.Context, s *session, _ int, url string) error {
	client := &session{}
	if err := client.connect(ctx, &mcp.StreamableClientTransport{Endpoint: s.ref}); err != nil {
		return err
	}
	return playwright{}.navigate(ctx, client, time.Minute, url)
}

// devtools wants a uid from its last snapshot for every element, and the page's
// number with every call.
type devtools struct{}

var (
	devtoolsButton = regexp.MustCompile(`uid=(\S+) (?:button|textbox)`)
	devtoolsFramed = regexp.MustCompile(`uid=(\S+) button "inside the frame"`)
	devtoolsPage   = regexp.MustCompile(`(?m)^(\d+): .*\[selected\]`)
)

// on adds the selected page's number.
func (devtools) on(ctx context.Context, s *session, args map[string]any) map[string]any {
	if len(s.pages) == 0 {
		text, err := s.call(ctx, hangLimit, "list_pages", map[string]any{})
		if m := devtoolsPage.FindStringSubmatch(text); err == nil && m != nil {
			s.pages = m[1:]
		}
	}
	if len(s.pages) > 0 {
		args["pageId"], _ = strconv.Atoi(s.pages[0])
	}
	return args
}

func (d devtools) navigate(ctx context.Context, s *session, l time.Duration, url string) error {
	_, err := s.call(ctx, l, "navigate_page", d.on(ctx, s, map[string]any{"type": "url", "url": url}))
	return err
}

func (d devtools) evaluate(ctx context.Context, s *session, l time.Duration, e string) (string, error) {
	return s.call(ctx, l, "evaluate_script", d.on(ctx, s, map[string]any{"function": "() => " + e}))
}

func (d devtools) act(ctx context.Context, s *session, l time.Duration, action string) error {
	args := map[string]any{"uid": s.ref}
	if action == "press_key" {
		args = map[string]any{"key": "a"}
	}
	_, err := s.call(ctx, l, action, d.on(ctx, s, args))
	return err
}

func (d devtools) snapshot(ctx context.Context, s *session, l time.Duration) (string, error) {
	return s.call(ctx, l, "take_snapshot", d.on(ctx, s, map[string]any{}))
}

func (d devtools) accept(ctx context.Context, s *session, l time.Duration) error {
	_, err := s.call(ctx, l, "handle_dialog", d.on(ctx, s, map[string]any{"action": "accept"}))
	return err
}

func (d devtools) find(ctx context.Context, s *session) error {
	return s.note(devtoolsButton, func() (string, error) { return d.snapshot(ctx, s, hangLimit) })
}

func (d devtools) findFrame(ctx context.Context, s *session) error {
	return s.note(devtoolsFramed, func() (string, error) { return d.snapshot(ctx, s, hangLimit) })
}

func (d devtools) inFrame(ctx context.Context, s *session, l time.Duration, e string) (string, error) {
	return s.call(ctx, l, "evaluate_script", d.on(ctx, s, map[string]any{"function": "element => " + e, "args": []string{s.ref}}))
}

type agentBrowser struct{}

func (agentBrowser) navigate(ctx context.Context, s *session, l time.Duration, url string) error {
	_, err := s.call(ctx, l, "agent_browser_open", map[string]any{"url": url})
	return err
}

func (agentBrowser) evaluate(ctx context.Context, s *session, l time.Duration, e string) (string, error) {
	return s.call(ctx, l, "agent_browser_eval", map[string]any{"script": e})
}

func (agentBrowser) act(ctx context.Context, s *session, l time.Duration, action string) error {
	name, args := "agent_browser_"+action, map[string]any{"selector": "#b"}
	if action == "press_key" {
		name, args = "agent_browser_press", map[string]any{"key": "a"}
	}
	_, err := s.call(ctx, l, name, args)
	return err
}

func (agentBrowser) snapshot(ctx context.Context, s *session, l time.Duration) (string, error) {
	return s.call(ctx, l, "agent_browser_snapshot", map[string]any{})
}

func (agentBrowser) accept(ctx context.Context, s *session, l time.Duration) error {
	_, err := s.call(ctx, l, "agent_browser_dialog_accept", map[string]any{})
	return err
}

func (agentBrowser) find(context.Context, *session) error { return nil }

func (agentBrowser) findFrame(ctx context.Context, s *session) error {
	_, err := s.call(ctx, hangLimit, "agent_browser_frame_switch", map[string]any{"frame": "#f"})
	return err
}

func (a agentBrowser) inFrame(ctx context.Context, s *session, l time.Duration, e string) (string, error) {
	return a.evaluate(ctx, s, l, e)
}
