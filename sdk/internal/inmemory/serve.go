// Package inmemory serves gRPC within one process.
package inmemory

import (
	"context"
	"net"

	"github.com/hashicorp/go-hclog"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/test/bufconn"

	"cdphost/sdk/proto/wire"
)

// Serve serves what register puts on a server and returns a connection to it,
// with the limits of real ones. stop ends both and returns when all handlers have.
func Serve(logger hclog.Logger, register func(*grpc.Server)) (conn *grpc.ClientConn, stop func(), err error) {
	listener := bufconn.Listen(1 << 20)
	conn, err = grpc.NewClient("passthrough:memory",
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }),
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(wire.MaxHostMessage)))
	if err != nil {
		return nil, nil, err
	}
	server := grpc.NewServer(append(wire.ServerOptions(logger), grpc.WaitForHandlers(true))...)
	register(server)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(listener)
	}()
	return conn, func() {
		_ = conn.Close()
		server.Stop()
		<-done
	}, nil
}
