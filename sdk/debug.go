package sdk

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"time"

	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
	"google.golang.org/grpc/stats"

	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
)

// debugEnv makes Serve wait for a host instead of being started by one.
const debugEnv = "CDPHOST_PLUGIN_DEBUG"

// debugStopTimeout is how long hooks may take to stop when their host has gone
// without asking them to.
const debugStopTimeout = 5 * time.Second

// DebugAddress is what Serve prints under CDPHOST_PLUGIN_DEBUG, for
// `cdphost plugin debug`.
type DebugAddress struct {
	Network string `json:"network"`
	Address string `json:"address"`
	PID     int    `json:"pid"`
}

// serveDebug serves one host after another until it is interrupted. A host is
// served by a server of its own: go-plugin's connections to the host can be made
// once for each, and hooks are configured for one host.
func serveDebug(p *Plugin) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	d := &debugged{plugin: p}
	for d.serve(ctx) && ctx.Err() == nil {
	}
	if d.where.Network == "unix" {
		_ = os.Remove(d.where.Address)
	}
}

// debugged is a plugin that waits for hosts.
type debugged struct {
	plugin *Plugin
	where  DebugAddress // of the first server, and of each after it where the system allows
}

// serve serves one host and returns when it has gone. It reports false when it
// could not.
func (d *debugged) serve(ctx context.Context) bool {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	logger := newLogger(d.plugin, false)
	where := make(chan *goplugin.ReattachConfig, 1)
	closed := make(chan struct{})
	told := make(chan bool, 1)
	go func() {
		select {
		case r := <-where:
			d.tell(r)
			told <- true
		case <-closed:
			told <- false
		}
	}()
	served := &grpcPlugin{plugin: d.plugin, logger: logger}
	config := serveConfig(served, grpc.StatsHandler(&visit{over: cancel}))
	config.Test = &goplugin.ServeTestConfig{Context: ctx, ReattachConfigCh: where, CloseCh: closed}
	goplugin.Serve(config)
	if served.server != nil {
		stop, done := context.WithTimeout(context.Background(), debugStopTimeout)
		defer done()
		if _, err := served.server.Stop(stop, &pluginv1.StopRequest{}); err != nil {
			logger.Error("stop failed", "error", err)
		}
	}
	return <-told
}

// tell prints where a host may join. The address stays that of the first time, so
// that one command joins again and again.
func (d *debugged) tell(r *goplugin.ReattachConfig) {
	now := DebugAddress{Network: r.Addr.Network(), Address: r.Addr.String(), PID: r.Pid}
	switch {
	case d.where.Network != "unix":
		d.where = now
	case os.Rename(now.Address, d.where.Address) != nil:
		d.where = now
	}
	if line, err := json.Marshal(d.where); err == nil {
		fmt.Println(string(line))
	}
}

// visit tells when the host that a server was made for has gone: the last of the
// connections that it used has closed. One that only tries whether somebody listens
// is no visit.
type visit struct {
	over func()

	mu   sync.Mutex
	open int
	used bool
}

// TagConn implements stats.Handler.
func (v *visit) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }

// TagRPC implements stats.Handler.
func (v *visit) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.used = true
	return ctx
}

// HandleRPC implements stats.Handler.
func (v *visit) HandleRPC(context.Context, stats.RPCStats) {}

// HandleConn counts connections.
func (v *visit) HandleConn(_ context.Context, s stats.ConnStats) {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch s.(type) {
	case *stats.ConnBegin:
		v.open++
	case *stats.ConnEnd:
		if v.open--; v.open == 0 && v.used {
			v.over()
		}
	}
}
