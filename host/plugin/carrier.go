package plugin

import (
	"context"
	"sync"

	"google.golang.org/grpc"

	"cdphost/sdk/conformance/suite"
	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
	"cdphost/sdk/proto/wire"
)

// Carrier starts a plugin for the conformance suite, as the manager itself starts
// it: as a process of its own, with the environment of its spec.
func (m *Manager) Carrier(spec Spec) suite.Carrier { return carrier{m.launcher, &spec} }

type carrier struct {
	l    *launcher
	spec *Spec
}

// Start implements suite.Carrier.
func (c carrier) Start(ctx context.Context, host pluginv1.HostServer) (*suite.Instance, error) {
	logger := c.l.opts.Logger.Named(c.spec.Name)
	stage, cancel := context.WithTimeout(ctx, c.l.opts.StartTimeout)
	defer cancel()
	k, err := c.l.launch(stage, c.spec, logger)
	if err != nil {
		return nil, err
	}
	var mu sync.Mutex
	var server *grpc.Server
	closed := false
	id := k.broker.NextId()
	done := make(chan struct{})
	go func() {
		defer close(done)
		k.broker.AcceptAndServe(id, func(opts []grpc.ServerOption) *grpc.Server {
			s := grpc.NewServer(append(opts, wire.ServerOptions(logger)...)...)
			pluginv1.RegisterHostServer(s, host)
			mu.Lock()
			defer mu.Unlock()
			if server = s; closed {
				s.Stop()
			}
			return s
		})
	}()
	stop := func() {
		mu.Lock()
		closed = true
		s := server
		mu.Unlock()
		if s != nil {
			s.Stop()
		}
	}
	return &suite.Instance{
		Conn: k.conn, HostID: id, Exited: k.exited,
		Disconnect: func() {
			stop()
			_ = k.conn.Close()
		},
		Kill: k.process.kill,
		Close: func() {
			stop()
			k.close()
			<-done
		},
	}, nil
}
