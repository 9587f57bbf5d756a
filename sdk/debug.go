package sdk

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"

	goplugin "github.com/hashicorp/go-plugin"
)

// debugEnv makes Serve wait for a host instead of being started by one.
const debugEnv = "CDPHOST_PLUGIN_DEBUG"

// DebugAddress is what Serve prints under CDPHOST_PLUGIN_DEBUG, for
// `cdphost plugin debug`.
type DebugAddress struct {
	Network string `json:"network"`
	Address string `json:"address"`
	PID     int    `json:"pid"`
}

// serveDebug serves until it is interrupted.
func serveDebug(p *Plugin) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	logger := newLogger(p, false)
	where := make(chan *goplugin.ReattachConfig, 1)
	config := serveConfig(p, logger)
	closed := make(chan struct{})
	config.Test = &goplugin.ServeTestConfig{Context: ctx, ReattachConfigCh: where, CloseCh: closed}
	go func() {
		select {
		case r := <-where:
			line, err := json.Marshal(DebugAddress{Network: r.Addr.Network(), Address: r.Addr.String(), PID: r.Pid})
			if err == nil {
				fmt.Println(string(line))
			}
		case <-closed:
		}
	}()
	goplugin.Serve(config)
}
