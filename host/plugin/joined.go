package plugin

import (
	"context"
	"net"
	"strconv"
	"sync"

	"github.com/hashicorp/go-plugin/runner"
	"google.golang.org/grpc"
	"google.golang.org/grpc/connectivity"

	"cdphost/sdk/fault"
)

// joined is a plugin that somebody else started. It is go-plugin's runner of what it
// reattaches to: its end is that of the connection, and nothing ends its process.
type joined struct {
	spec    *Spec
	ctx     context.Context // ends with the connection
	end     context.CancelFunc
	watches sync.WaitGroup
}

func newJoined(spec *Spec) *joined {
	j := &joined{spec: spec}
	j.ctx, j.end = context.WithCancel(context.Background())
	return j
}

// reattach implements runner.ReattachFunc.
func (j *joined) reattach() (runner.AttachedRunner, error) {
	r := j.spec.Reattach
	conn, err := (&net.Dialer{}).DialContext(j.ctx, r.Network, r.Address)
	if err != nil {
		return nil, fault.Wrap(err, fault.PluginUnavailable,
			"plugin %s: nothing listens at %s; take the address that the plugin under your debugger prints", j.spec.Name, r.Address)
	}
	return j, conn.Close()
}

// watch ends j with its connection.
func (j *joined) watch(conn *grpc.ClientConn) {
	j.watches.Go(func() {
		defer j.end()
		for was := connectivity.Idle; ; {
			now := conn.GetState()
			if was == connectivity.Ready && now != was || now == connectivity.TransientFailure || now == connectivity.Shutdown {
				return
			}
			if was = now; !conn.WaitForStateChange(j.ctx, now) {
				return
			}
		}
	})
}

// close lets go of the plugin.
func (j *joined) close() {
	j.end()
	j.watches.Wait()
}

// Wait implements runner.AttachedRunner.
func (j *joined) Wait(context.Context) error {
	<-j.ctx.Done()
	return nil
}

// Kill implements runner.AttachedRunner.
func (*joined) Kill(context.Context) error { return nil }

// ID implements runner.AttachedRunner.
func (j *joined) ID() string { return strconv.Itoa(j.spec.Reattach.PID) }

// PluginToHost implements runner.AddrTranslator.
func (*joined) PluginToHost(network, addr string) (string, string, error) { return network, addr, nil }

// HostToPlugin implements runner.AddrTranslator.
func (*joined) HostToPlugin(network, addr string) (string, string, error) { return network, addr, nil }
