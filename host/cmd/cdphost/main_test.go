package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"cdphost/host/server/control"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets this binary stand for cdphost, also where the host starts itself
// to serve a plugin.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"cdphost": func() { os.Exit(run(os.Args[1:])) }})
}

func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			if err := runtimeDir(env); err != nil {
				return err
			}
			env.Setenv("CHROME_PATH", os.Getenv("CHROME_PATH"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"waithost":    waitHost,
			"waitdialog":  waitDialog,
			"callmcp":     callMCP,
			"debugplugin": debugPlugin,
			"fetch":       fetch,
		},
	})
}

// runtimeDir gives a script's hosts a folder of their own for their sockets.
func runtimeDir(env *testscript.Env) error {
	// A socket's path may be no longer than some 100 bytes.
	dir, err := os.MkdirTemp("", "cdphost-rt-")
	if err != nil {
		return err
	}
	env.Defer(func() { _ = os.RemoveAll(dir) })
	env.Setenv("CDPHOST_RUNTIME_DIR", dir)
	return nil
}

// fetch gets a path of the script's host, checks the status and prints the body,
// once it holds a text: fetch STATUS PATH [TEXT].
func fetch(ts *testscript.TestScript, _ bool, args []string) {
	ctx, cancel := context.WithTimeout(context.Background(), waitLimit)
	defer cancel()
	url, text := "http://"+address(ts)+args[1], strings.Join(args[2:], " ")
	for {
		req, err := http.NewRequestWithContext(context.WithoutCancel(ctx), http.MethodGet, url, nil)
		ts.Check(err)
		res, err := http.DefaultClient.Do(req)
		ts.Check(err)
		body, err := io.ReadAll(res.Body)
		_ = res.Body.Close()
		ts.Check(err)
		if strconv.Itoa(res.StatusCode) != args[0] {
			ts.Fatalf("%s: status %d: %s", args[1], res.StatusCode, body)
		}
		if strings.Contains(string(body), text) {
			fmt.Fprintln(ts.Stdout(), string(body))
			return
		}
		if ctx.Err() != nil {
			ts.Fatalf("%s does not say %s: %s", args[1], text, body)
		}
		time.Sleep(20 * time.Millisecond) // counted by a goroutine of another process
	}
}

// waitLimit ends a wait that a fault would make endless.
const waitLimit = 30 * time.Second

// waitHost waits until a host serves MCP over HTTP, as its control socket tells.
func waitHost(ts *testscript.TestScript, _ bool, _ []string) { address(ts) }

// waitDialog waits until a dialog is pending, or with "!" until none is.
func waitDialog(ts *testscript.TestScript, none bool, _ []string) {
	ctx, cancel := context.WithTimeout(context.Background(), waitLimit)
	defer cancel()
	for ctx.Err() == nil {
		c, err := control.Find(ctx, ts.Getenv("CDPHOST_RUNTIME_DIR"), 0)
		ts.Check(err)
		r, err := control.Call[dialogsReply](ctx, c, "dialogs", struct{}{})
		c.Close()
		ts.Check(err)
		if (len(r.Dialogs) == 0) == none {
			return
		}
		time.Sleep(20 * time.Millisecond) // a page of another process
	}
	ts.Fatalf("dialogs stayed as they were")
}

// callMCP calls a tool of the script's host, prints the structured result, and
// fails as the tool does: callmcp PATH TOOL JSON.
func callMCP(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: callmcp PATH TOOL JSON")
	}
	ctx, cancel := context.WithTimeout(context.Background(), waitLimit)
	defer cancel()
	url := "http://" + address(ts) + args[0]
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: url}, nil)
	ts.Check(err)
	defer session.Close()
	var arguments map[string]any
	ts.Check(json.Unmarshal([]byte(args[2]), &arguments))
	res, err := session.CallTool(ctx, &mcp.CallToolParams{Name: args[1], Arguments: arguments})
	ts.Check(err)
	out, err := json.Marshal(res.StructuredContent)
	ts.Check(err)
	fmt.Fprintln(ts.Stdout(), string(out))
	if res.IsError != neg {
		ts.Fatalf("%s: isError is %v: %s", args[2], res.IsError, out)
	}
}

// address returns where the script's host listens.
func address(ts *testscript.TestScript) string {
	ctx, cancel := context.WithTimeout(context.Background(), waitLimit)
	defer cancel()
	for ctx.Err() == nil {
		for _, i := range control.Instances(ctx, ts.Getenv("CDPHOST_RUNTIME_DIR")) {
			if i.Listen != "" {
				return i.Listen
			}
		}
		time.Sleep(20 * time.Millisecond) // the socket of a process that starts
	}
	ts.Fatalf("no host listens")
	return ""
}
