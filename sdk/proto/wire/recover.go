package wire

import (
	"context"
	"runtime/debug"

	"github.com/hashicorp/go-hclog"
	"google.golang.org/grpc"

	"cdphost/sdk/fault"
)

// ServerOptions makes a gRPC server that turns errors into faults and contains
// panics of handlers: the caller gets internal_error, the log gets the stack.
func ServerOptions(logger hclog.Logger) []grpc.ServerOption {
	contain := func(method string, err *error) {
		if r := recover(); r != nil {
			logger.Error("panic in a handler", "method", method, "panic", r, "stack", string(debug.Stack()))
			*err = ToStatus(fault.New(fault.InternalError, "panic in %s: %v", method, r))
		}
	}
	return []grpc.ServerOption{
		grpc.MaxRecvMsgSize(MaxHostMessage),
		grpc.ChainUnaryInterceptor(func(ctx context.Context, req any, info *grpc.UnaryServerInfo, h grpc.UnaryHandler) (resp any, err error) {
			defer contain(info.FullMethod, &err)
			resp, err = h(ctx, req)
			return resp, ToStatus(err)
		}),
		grpc.ChainStreamInterceptor(func(srv any, ss grpc.ServerStream, info *grpc.StreamServerInfo, h grpc.StreamHandler) (err error) {
			defer contain(info.FullMethod, &err)
			return h(srv, ss)
		}),
	}
}
