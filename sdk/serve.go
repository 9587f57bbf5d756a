package sdk

import (
	"context"
	"errors"
	"os"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"cdphost/sdk/proto/wire"
)

// Serve serves p to the host and returns when the host has ended it. It is all
// that a plugin's main does. Started by hand it prints what it is and exits
// with status 1. The process ends by itself when the host goes away.
//
// With CDPHOST_PLUGIN_DEBUG=1 in the environment it serves without a host to start
// it, as under a debugger: it prints, as one line of JSON, where a host may join it,
// and again each time that one has gone.
func Serve(p *Plugin) {
	if os.Getenv(debugEnv) != "" {
		serveDebug(p)
		return
	}
	logger := newLogger(p, true)
	goplugin.Serve(serveConfig(&grpcPlugin{plugin: p, logger: logger}, grpc.StatsHandler(newWatcher(func() { os.Exit(0) }))))
}

func newLogger(p *Plugin, asJSON bool) hclog.Logger {
	return hclog.New(&hclog.LoggerOptions{
		Name: p.info.Name, Level: hclog.Trace, Output: os.Stderr, JSONFormat: asJSON,
	})
}

func serveConfig(p *grpcPlugin, extra ...grpc.ServerOption) *goplugin.ServeConfig {
	return &goplugin.ServeConfig{
		HandshakeConfig: wire.Handshake,
		VersionedPlugins: map[int]goplugin.PluginSet{
			wire.ProtocolVersion: {wire.PluginKey: p},
		},
		GRPCServer: func(opts []grpc.ServerOption) *grpc.Server {
			opts = append(opts, wire.ServerOptions(p.logger)...)
			return grpc.NewServer(append(opts, extra...)...)
		},
		Logger: hclog.NewNullLogger(),
	}
}

// grpcPlugin is go-plugin's view of a Plugin.
type grpcPlugin struct {
	goplugin.NetRPCUnsupportedPlugin
	plugin *Plugin
	logger hclog.Logger
	server *server // set by GRPCServer
}

// GRPCServer implements goplugin.GRPCPlugin.
func (g *grpcPlugin) GRPCServer(broker *goplugin.GRPCBroker, s *grpc.Server) error {
	g.server = register(g.plugin, s, g.logger, func(_ context.Context, id uint32) (*grpc.ClientConn, error) {
		return broker.DialWithOptions(id)
	})
	return nil
}

// GRPCClient implements goplugin.GRPCPlugin.
func (g *grpcPlugin) GRPCClient(context.Context, *goplugin.GRPCBroker, *grpc.ClientConn) (any, error) {
	return nil, errors.New("a plugin does not dispense plugins")
}
