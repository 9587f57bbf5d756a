package conformance

import (
	"context"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"google.golang.org/grpc"

	"cdphost/sdk"
	"cdphost/sdk/conformance/suite"
	"cdphost/sdk/internal/inmemory"
	"cdphost/sdk/internal/inproc"
	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
)

// inProcess carries a plugin in the test's own process.
type inProcess struct {
	t      *testing.T
	plugin *sdk.Plugin
}

// Start implements suite.Carrier.
func (c inProcess) Start(_ context.Context, host pluginv1.HostServer) (*suite.Instance, error) {
	logger := hclog.New(&hclog.LoggerOptions{Name: c.plugin.Info().Name, Level: hclog.Debug, Output: c})
	hostConn, stopHost, err := inmemory.Serve(logger, func(s *grpc.Server) { pluginv1.RegisterHostServer(s, host) })
	if err != nil {
		return nil, err
	}
	var refused error
	conn, stopPlugin, err := inmemory.Serve(logger, func(s *grpc.Server) {
		refused = inproc.Register(c.plugin, s, logger, func(context.Context, uint32) (*grpc.ClientConn, error) { return hostConn, nil })
	})
	if err == nil {
		err = refused
	}
	if err != nil {
		stopHost()
		return nil, err
	}
	closed := false
	return &suite.Instance{Conn: conn, HostID: 1, Close: func() {
		if closed {
			return
		}
		closed = true
		// As the host ends a process: what it made is stopped first.
		ctx, cancel := context.WithCancel(context.WithoutCancel(c.t.Context()))
		defer cancel()
		_, _ = pluginv1.NewPluginClient(conn).Stop(ctx, &pluginv1.StopRequest{})
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			stopPlugin()
		}()
		select {
		case <-ended:
		case <-time.After(stopPatience):
			// A process would be killed now.
			c.t.Log("a call of the plugin has not ended and is left behind")
		}
		stopHost()
	}}, nil
}

// stopPatience is how long calls may take to end when the plugin is stopped.
const stopPatience = 5 * time.Second

// Write takes a line of the plugin's log.
func (c inProcess) Write(line []byte) (int, error) {
	c.t.Logf("%s", line)
	return len(line), nil
}
