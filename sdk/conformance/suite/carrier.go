// Package suite holds what every plugin must do, whatever its hooks decide: it
// starts a plugin, describes, configures and asks it as the host does, also with
// what no page would send, and looks at the answers.
//
// It checks the contract between host and plugin, not whether a plugin decides
// well. A plugin in the same process and one that is a process of its own are
// checked alike.
package suite

import (
	"context"

	"google.golang.org/grpc"

	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
)

// Carrier starts instances of the plugin under test.
type Carrier interface {
	// Start starts one, which reaches host. It is not configured yet.
	Start(ctx context.Context, host pluginv1.HostServer) (*Instance, error)
}

// Instance is a started plugin.
type Instance struct {
	Conn grpc.ClientConnInterface
	// HostID is the broker id under which host is served.
	HostID uint32
	// Exited is closed when the process has ended; nil without a process.
	Exited <-chan struct{}
	// Disconnect closes the connection and leaves the process; nil without one.
	Disconnect func()
	// Kill ends the process as a crash does; nil without one.
	Kill func()
	// Close ends the instance in every case. It may be called twice.
	Close func()
}

func (i *Instance) exited() bool {
	if i.Exited == nil {
		return false
	}
	select {
	case <-i.Exited:
		return true
	default:
		return false
	}
}
