// Package inproc lets packages of the SDK serve a plugin on a gRPC server of
// their own, without gRPC showing in the SDK's public API.
package inproc

import (
	"context"

	"github.com/hashicorp/go-hclog"
	"google.golang.org/grpc"
)

// DialHost connects to the service Host that the host serves under a broker id.
type DialHost func(ctx context.Context, id uint32) (*grpc.ClientConn, error)

// Register puts the services of a *sdk.Plugin on s. Package sdk sets it.
var Register func(plugin any, s grpc.ServiceRegistrar, logger hclog.Logger, dial DialHost) error
