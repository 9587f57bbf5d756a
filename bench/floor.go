package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/coder/websocket"
)

// floorName names the column of what no product can beat.
const floorName = "raw CDP"

// floor adds the raw CDP round trip to the rows that have one: a websocket and
// nothing else.
func floor(ctx context.Context, r *report, chrome string, tries int) {
	const name = floorName
	c, err := launchRaw(ctx, chrome)
	if err != nil {
		fmt.Fprintln(os.Stderr, "no floor:", err)
		return
	}
	defer c.close()
	var samples []sample
	for range tries * 5 {
		began := time.Now()
		_, err := c.call(ctx, "Runtime.evaluate", map[string]any{"expression": "1", "returnByValue": true})
		samples = append(samples, timed(began, err))
	}
	r.add("evaluate `1`", "ms", name, summarise(samples))
	r.add("alert answered by itself, call to return", "ms", name, summarise(c.policy(ctx, tries)))
}

// chromium is a browser that the benchmark itself started.
type chromium struct {
	cmd     *exec.Cmd
	profile string
	addr    string // host:port
	path    string // of the browser's websocket
}

func launchChromium(chrome string) (*chromium, error) {
	dir, err := os.MkdirTemp("", "bench-raw-")
	if err != nil {
		return nil, err
	}
	args := []string{"--headless", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--remote-debugging-port=0", "--user-data-dir=" + dir}
	if asRoot() {
		args = append(args, "--no-sandbox")
	}
	c := &chromium{cmd: exec.Command(chrome, args...), profile: dir}
	c.cmd.SysProcAttr = ownGroup()
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	for range 300 {
		data, _ := os.ReadFile(filepath.Join(dir, "DevToolsActivePort"))
		if lines := strings.Fields(string(data)); len(lines) == 2 {
			c.addr, c.path = "127.0.0.1:"+lines[0], lines[1]
			return c, nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	c.close()
	return nil, fmt.Errorf("the browser told no port")
}

func (c *chromium) close() {
	killGroup(c.cmd)
	_ = c.cmd.Wait()
	_ = os.RemoveAll(c.profile)
}

// raw is one page over one socket.
type raw struct {
	*chromium
	ws      *websocket.Conn
	session string
	id      int
	// answer makes call answer dialogs as they open.
	answer bool
}

func launchRaw(ctx context.Context, chrome string) (*raw, error) {
	browser, err := launchChromium(chrome)
	if err != nil {
		return nil, err
	}
	c := &raw{chromium: browser}
	c.ws, _, err = websocket.Dial(ctx, "ws://"+c.addr+c.path, nil) //nolint:bodyclose // Dial's response needs no Close
	if err != nil {
		c.close()
		return nil, err
	}
	c.ws.SetReadLimit(-1)
	made, err := c.call(ctx, "Target.createTarget", map[string]any{"url": "about:blank"})
	if err != nil {
		c.close()
		return nil, err
	}
	var target struct {
		TargetID  string `json:"targetId"`
		SessionID string `json:"sessionId"`
	}
	_ = json.Unmarshal(made, &target)
	attached, err := c.call(ctx, "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true})
	if err != nil {
		c.close()
		return nil, err
	}
	_ = json.Unmarshal(attached, &target)
	c.session = target.SessionID
	return c, nil
}

// policy answers alerts as they open, with nothing between the socket and itself.
func (c *raw) policy(ctx context.Context, tries int) (out []sample) {
	if _, err := c.call(ctx, "Page.enable", map[string]any{}); err != nil {
		return []sample{{fail: err.Error()}}
	}
	c.answer = true
	defer func() { c.answer = false }()
	for range tries {
		result, err := c.call(ctx, "Runtime.evaluate", map[string]any{"expression": alerts, "returnByValue": true})
		out = append(out, perAlert(string(result), err))
	}
	return out
}

func (c *raw) call(ctx context.Context, method string, params any) (json.RawMessage, error) {
	c.id++
	msg := map[string]any{"id": c.id, "method": method, "params": params}
	if c.session != "" {
		msg["sessionId"] = c.session
	}
	data, err := json.Marshal(msg)
	if err != nil {
		return nil, err
	}
	if err := c.ws.Write(ctx, websocket.MessageText, data); err != nil {
		return nil, err
	}
	for {
		_, data, err := c.ws.Read(ctx)
		if err != nil {
			return nil, err
		}
		var reply struct {
			ID     int             `json:"id"`
			Method string          `json:"method"`
			Result json.RawMessage `json:"result"`
			Error  *struct {
				Message string `json:"message"`
			} `json:"error"`
		}
		if json.Unmarshal(data, &reply) != nil {
			continue
		}
		if c.answer && reply.Method == "Page.javascriptDialogOpening" {
			answer := fmt.Sprintf(`{"id":0,"method":"Page.handleJavaScriptDialog","params":{"accept":true},"sessionId":%q}`, c.session)
			if err := c.ws.Write(ctx, websocket.MessageText, []byte(answer)); err != nil {
				return nil, err
			}
			continue
		}
		if reply.ID != c.id {
			continue
		}
		if reply.Error != nil {
			return nil, fmt.Errorf("%s", reply.Error.Message)
		}
		return reply.Result, nil
	}
}

func (c *raw) close() {
	if c.ws != nil {
		_ = c.ws.CloseNow()
	}
	c.chromium.close()
}
