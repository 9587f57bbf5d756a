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
func floor(ctx context.Context, r *report, chrome string, s *site, tries int) {
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
	r.Peers = append(r.Peers, name)
	r.add("evaluate `1`", "ms", name, summarise(samples))
	_ = s
}

// raw is one page over one socket.
type raw struct {
	cmd     *exec.Cmd
	profile string
	ws      *websocket.Conn
	session string
	id      int
}

func launchRaw(ctx context.Context, chrome string) (*raw, error) {
	dir, err := os.MkdirTemp("", "bench-raw-")
	if err != nil {
		return nil, err
	}
	args := []string{"--headless", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--remote-debugging-port=0", "--user-data-dir=" + dir}
	if os.Geteuid() == 0 {
		args = append(args, "--no-sandbox")
	}
	c := &raw{cmd: exec.Command(chrome, args...), profile: dir}
	c.cmd.SysProcAttr = ownGroup()
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	var lines []string
	for range 200 {
		data, _ := os.ReadFile(filepath.Join(dir, "DevToolsActivePort"))
		if lines = strings.Fields(string(data)); len(lines) == 2 {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if len(lines) != 2 {
		c.close()
		return nil, fmt.Errorf("the browser told no port")
	}
	c.ws, _, err = websocket.Dial(ctx, "ws://127.0.0.1:"+lines[0]+lines[1], nil)
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
			Result json.RawMessage `json:"result"`
			Error  *struct {
				Message string `json:"message"`
			} `json:"error"`
		}
		if json.Unmarshal(data, &reply) != nil || reply.ID != c.id {
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
	killGroup(c.cmd)
	_ = c.cmd.Wait()
	_ = os.RemoveAll(c.profile)
}
