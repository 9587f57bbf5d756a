package plugin

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"github.com/hashicorp/go-plugin/runner"
	"google.golang.org/grpc"

	"cdphost/sdk/fault"
	"cdphost/sdk/proto/wire"
)

// maxHookReply bounds one answer of a plugin in bytes; a tool's images fit.
const maxHookReply = 32 << 20

// launcher starts plugin processes.
type launcher struct {
	opts    *Options
	spawner *spawner
	dir     string // private, for sockets
	mark    string // of this host, see markEnv
}

// link is the connection to one plugin process.
type link struct {
	client  *goplugin.Client
	process *process // nil for a plugin that was joined
	joined  *joined  // nil for one that was started
	conn    *grpc.ClientConn
	broker  *goplugin.GRPCBroker
	exited  <-chan struct{}
}

// command returns the program and its arguments.
func (l *launcher) command(spec *Spec) (string, []string, error) {
	if spec.Builtin != "" {
		return l.opts.Self, append(append([]string(nil), l.opts.SelfArgs...), spec.Builtin), nil
	}
	path := spec.Path
	if !filepath.IsAbs(path) && !strings.ContainsRune(path, filepath.Separator) && !strings.Contains(path, "/") {
		path = "." + string(filepath.Separator) + path
	}
	if _, err := exec.LookPath(path); err != nil {
		return "", nil, fault.Wrap(err, fault.PluginUnavailable, "plugin %s: %s can't be run: %v", spec.Name, spec.Path, errors.Unwrap(err))
	}
	return path, spec.Args, nil
}

// launch starts a plugin and connects to it. When ctx ends first, the process is
// killed.
func (l *launcher) launch(ctx context.Context, spec *Spec, logger hclog.Logger) (*link, error) {
	config := &goplugin.ClientConfig{
		HandshakeConfig:  wire.Handshake,
		VersionedPlugins: map[int]goplugin.PluginSet{wire.ProtocolVersion: {wire.PluginKey: &dispenser{}}},
		AllowedProtocols: []goplugin.Protocol{goplugin.ProtocolGRPC},
		Logger:           hclog.NewNullLogger(),
		StartTimeout:     l.opts.StartTimeout,
		SkipHostEnv:      true,
		AutoMTLS:         spec.MTLS && spec.Reattach == nil,
		UnixSocketConfig: &goplugin.UnixSocketConfig{TempDir: l.dir},
		GRPCDialOptions: []grpc.DialOption{
			grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxHookReply)),
		},
	}
	var p *process
	var j *joined
	if r := spec.Reattach; r != nil {
		addr, err := r.addr()
		if err != nil {
			return nil, fault.Wrap(err, fault.PluginUnavailable, "plugin %s: %v", spec.Name, err)
		}
		j = newJoined(spec)
		config.HandshakeConfig.ProtocolVersion = wire.ProtocolVersion
		config.Plugins, config.VersionedPlugins = config.VersionedPlugins[wire.ProtocolVersion], nil
		config.Reattach = &goplugin.ReattachConfig{
			Protocol: goplugin.ProtocolGRPC, ProtocolVersion: wire.ProtocolVersion, Addr: addr, Pid: r.PID, Test: true,
			ReattachFunc: j.reattach,
		}
	} else {
		path, args, err := l.command(spec)
		if err != nil {
			return nil, err
		}
		if err := checkSHA256(spec); err != nil {
			return nil, err
		}
		p = newProcess(l.spawner, l.mark, path, args, environment(spec.Env), newLogWriter(logger))
		config.RunnerFunc = func(_ hclog.Logger, cmd *exec.Cmd, _ string) (runner.Runner, error) {
			p.cmd.Env = append(p.cmd.Env, cmd.Env...)
			return p, nil
		}
	}

	k := &link{client: goplugin.NewClient(config), process: p, joined: j}
	err := k.connect(ctx)
	if err == nil {
		return k, nil
	}
	k.close()
	if p != nil {
		err = explain(spec, p, err)
	}
	return nil, err
}

// connect runs the handshake. go-plugin's own waits take no context, so the
// process is killed when ctx ends, which ends them.
func (k *link) connect(ctx context.Context) error {
	type result struct {
		d   *dispensed
		err error
	}
	done := make(chan result, 1)
	go func() {
		d, err := dispense(k.client)
		done <- result{d, err}
	}()
	var r result
	select {
	case r = <-done:
	case <-ctx.Done():
		if k.process != nil {
			k.process.kill()
		}
		r = <-done
		if r.err == nil {
			r.err = ctx.Err()
		}
		r.err = errors.Join(ctx.Err(), r.err)
	}
	if r.err != nil {
		return r.err
	}
	k.conn, k.broker, k.exited = r.d.conn, r.d.broker, r.d.exited
	if k.process != nil {
		k.exited = k.process.exited
	} else {
		k.joined.watch(k.conn)
	}
	return nil
}

func dispense(client *goplugin.Client) (*dispensed, error) {
	c, err := client.Client()
	if err != nil {
		return nil, err
	}
	raw, err := c.Dispense(wire.PluginKey)
	if err != nil {
		return nil, err
	}
	d, ok := raw.(*dispensed)
	if !ok {
		return nil, fmt.Errorf("dispensed %T", raw)
	}
	return d, nil
}

// dispensed is what go-plugin hands over.
type dispensed struct {
	conn   *grpc.ClientConn
	broker *goplugin.GRPCBroker
	exited <-chan struct{}
}

// dispenser is go-plugin's view of any plugin.
type dispenser struct {
	goplugin.NetRPCUnsupportedPlugin
}

// GRPCServer implements goplugin.GRPCPlugin.
func (*dispenser) GRPCServer(*goplugin.GRPCBroker, *grpc.Server) error {
	return errors.New("the host serves no plugin")
}

// GRPCClient implements goplugin.GRPCPlugin.
func (*dispenser) GRPCClient(ctx context.Context, b *goplugin.GRPCBroker, c *grpc.ClientConn) (any, error) {
	return &dispensed{conn: c, broker: b, exited: ctx.Done()}, nil
}

func (r *Reattach) addr() (net.Addr, error) {
	switch r.Network {
	case "unix":
		return net.ResolveUnixAddr(r.Network, r.Address)
	case "tcp":
		return net.ResolveTCPAddr(r.Network, r.Address)
	default:
		return nil, fmt.Errorf("reattach: network %q is neither unix nor tcp", r.Network)
	}
}
