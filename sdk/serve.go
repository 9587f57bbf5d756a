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
func Serve(p *Plugin) {
	logger := hclog.New(&hclog.LoggerOptions{
		Name: p.info.Name, Level: hclog.Trace, Output: os.Stderr, JSONFormat: true,
	})
	watch := newWatcher(func() { os.Exit(0) })
	goplugin.Serve(&goplugin.ServeConfig{
		HandshakeConfig: wire.Handshake,
		VersionedPlugins: map[int]goplugin.PluginSet{
			wire.ProtocolVersion: {wire.PluginKey: &grpcPlugin{plugin: p, logger: logger}},
		},
		GRPCServer: func(opts []grpc.ServerOption) *grpc.Server {
			opts = append(opts, wire.ServerOptions(logger)...)
			return grpc.NewServer(append(opts, grpc.StatsHandler(watch))...)
		},
		Logger: hclog.NewNullLogger(),
	})
}

// grpcPlugin is go-plugin's view of a Plugin.
type grpcPlugin struct {
	goplugin.NetRPCUnsupportedPlugin
	plugin *Plugin
	logger hclog.Logger
}

// GRPCServer implements goplugin.GRPCPlugin.
func (g *grpcPlugin) GRPCServer(broker *goplugin.GRPCBroker, s *grpc.Server) error {
	register(g.plugin, s, g.logger, func(_ context.Context, id uint32) (*grpc.ClientConn, error) {
		return broker.DialWithOptions(id)
	})
	return nil
}

// GRPCClient implements goplugin.GRPCPlugin.
func (g *grpcPlugin) GRPCClient(context.Context, *goplugin.GRPCBroker, *grpc.ClientConn) (any, error) {
	return nil, errors.New("a plugin does not dispense plugins")
}
