package plugins

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"cdphost/host/server/control"
)

// waitLimit ends a wait that a fault would make endless; no test depends on its
// value.
const waitLimit = 90 * time.Second

// host is a `cdphost serve` of one test.
type host struct {
	t       *testing.T
	dir     string // its configuration, and where it was started
	runtime string // its control socket
	listen  string
	cmd     *exec.Cmd
	log     logBuffer
}

// serve starts a host with a configuration. It and all it started are gone after
// the test.
func serve(t *testing.T, config string) *host {
	t.Helper()
	h := &host{t: t, dir: t.TempDir()}
	var err error
	// A socket's path may be no longer than some 100 bytes.
	if h.runtime, err = os.MkdirTemp("", "cdphost-rt-"); err != nil { //nolint:usetesting // see above
		t.Fatal(err)
	}
	h.configure(config)
	h.cmd = exec.Command(program("cdphost"), "serve", "--config", "config.yaml", "--listen", "127.0.0.1:0")
	h.cmd.Dir = h.dir
	h.cmd.Env = h.env()
	h.cmd.Stdout, h.cmd.Stderr = &h.log, &h.log
	if err := h.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = h.cmd.Process.Signal(os.Interrupt)
		_ = h.cmd.Wait()
		if t.Failed() {
			t.Logf("the host's log:\n%s", h.log.String())
		}
		_ = os.RemoveAll(h.runtime)
	})
	h.until("the host listens", func() bool {
		for _, i := range control.Instances(t.Context(), h.runtime) {
			h.listen = i.Listen
		}
		return h.listen != ""
	})
	return h
}

func (h *host) env() []string { return append(os.Environ(), "CDPHOST_RUNTIME_DIR="+h.runtime) }

// configure replaces the configuration in one step, as editors do.
func (h *host) configure(config string) {
	h.t.Helper()
	file := filepath.Join(h.dir, "config.yaml")
	if err := os.WriteFile(file+".new", []byte(config), 0o600); err != nil {
		h.t.Fatal(err)
	}
	if err := os.Rename(file+".new", file); err != nil {
		h.t.Fatal(err)
	}
}

// browser is the part of the configuration that all tests have.
func browser(policy string) string {
	return fmt.Sprintf("browser: {dialog_policy: %s, dialog_flood_per_second: 10000, args: [\"--host-resolver-rules=MAP *.test 127.0.0.1\"]}\nlog: {level: info}\n", policy)
}

// until polls what has no event of its own.
func (h *host) until(what string, ok func() bool) {
	h.t.Helper()
	deadline := time.Now().Add(waitLimit)
	for !ok() {
		if time.Now().After(deadline) {
			h.t.Fatalf("not in time: %s", what)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// status is what `cdphost plugins --json` tells of a plugin.
type status struct {
	Name       string        `json:"name"`
	Version    string        `json:"version"`
	Hooks      []string      `json:"hooks"`
	PID        int           `json:"pid"`
	Generation uint64        `json:"generation"`
	Restarts   uint64        `json:"restarts"`
	Health     string        `json:"health"`
	QueueDepth int           `json:"queue_depth"`
	Dropped    uint64        `json:"dropped"`
	Calls      uint64        `json:"calls"`
	P50        time.Duration `json:"p50_ns"`
	P99        time.Duration `json:"p99_ns"`
}

func (h *host) plugins() map[string]status {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), waitLimit)
	defer cancel()
	c, err := control.Find(ctx, h.runtime, 0)
	if err != nil {
		h.t.Fatal(err)
	}
	defer c.Close()
	r, err := control.Call[struct{ Plugins []status }](ctx, c, "plugins", struct{}{})
	if err != nil {
		h.t.Fatal(err)
	}
	out := map[string]status{}
	for _, s := range r.Plugins {
		out[s.Name] = s
	}
	return out
}

// run runs a cdphost command as the operator.
func (h *host) run(args ...string) string {
	h.t.Helper()
	cmd := exec.CommandContext(h.t.Context(), program("cdphost"), args...)
	cmd.Dir, cmd.Env = h.dir, h.env()
	out, err := cmd.CombinedOutput()
	if err != nil {
		h.t.Fatalf("cdphost %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// logBuffer keeps what a process writes.
type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
