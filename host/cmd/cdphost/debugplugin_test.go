package main

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"strconv"

	"cdphost/sdk"

	"github.com/rogpeppe/go-internal/testscript"
)

// debugPlugin starts a built-in plugin as under a debugger, writes its address
// to a file and its process id to $DEBUGGED: debugplugin NAME FILE.
func debugPlugin(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: debugplugin NAME FILE")
	}
	self, err := os.Executable()
	ts.Check(err)
	cmd := exec.Command(self, "plugin", "serve", args[0])
	cmd.Args[0] = "cdphost" // which this binary then is, see TestMain
	cmd.Env = append(os.Environ(), "CDPHOST_PLUGIN_DEBUG=1")
	out, err := cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	ts.Defer(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadBytes('\n')
	ts.Check(err)
	var where sdk.DebugAddress
	ts.Check(json.Unmarshal(line, &where))
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), line, 0o600))
	ts.Setenv("DEBUGGED", strconv.Itoa(where.PID))
}
