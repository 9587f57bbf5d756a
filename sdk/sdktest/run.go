package sdktest

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"google.golang.org/grpc"

	"cdphost/sdk"
	"cdphost/sdk/internal/fakehost"
	"cdphost/sdk/internal/host2plugin"
	"cdphost/sdk/internal/inmemory"
	"cdphost/sdk/internal/inproc"
	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
	"cdphost/sdk/proto/wire"
)

// hostID is the broker id under which the fake host is served.
const hostID = 1

// Running is a configured plugin.
type Running struct {
	// Host is the fake host that the plugin sees.
	Host *Host
	// Declared is what the plugin wants to be asked.
	Declared Declared

	plugin *host2plugin.Client
}

// Declared is what a plugin declared when it was configured.
type Declared struct {
	Hooks    []sdk.Hook
	Policies []string
	// GuardMethods and GuardCompare are a command guard's filter.
	GuardMethods []string
	GuardCompare []string
	// Events are the methods that an event subscriber wants.
	Events []string
	// Bridge is a dialog bridge's setup; nil without that hook.
	Bridge *sdk.BridgeSetup
}

// Start configures p with config, a value that marshals to a JSON object or nil
// for the defaults, and fails the test when the plugin refuses it.
func Start(tb testing.TB, p *sdk.Plugin, config any) *Running {
	tb.Helper()
	r, err := Configure(tb, p, config)
	if err != nil {
		tb.Fatalf("configure: %v", err)
	}
	return r
}

// Configure is Start for configurations that are refused: the error joins one
// *sdk.ConfigError for each thing that is wrong.
func Configure(tb testing.TB, p *sdk.Plugin, config any) (*Running, error) {
	tb.Helper()
	raw := []byte("{}")
	if config != nil {
		var err error
		if raw, err = json.Marshal(config); err != nil {
			tb.Fatalf("the configuration is not JSON: %v", err)
		}
	}
	logger := hclog.New(&hclog.LoggerOptions{Name: p.Info().Name, Level: hclog.Debug, Output: testWriter{tb}})
	host := fakehost.New()
	hostConn := serve(tb, logger, func(s *grpc.Server) { pluginv1.RegisterHostServer(s, host) })
	conn := serve(tb, logger, func(s *grpc.Server) {
		err := inproc.Register(p, s, logger, func(context.Context, uint32) (*grpc.ClientConn, error) { return hostConn, nil })
		if err != nil {
			tb.Fatal(err)
		}
	})
	life := pluginv1.NewPluginClient(conn)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	d, err := life.Describe(ctx, &pluginv1.DescribeRequest{})
	if err != nil {
		return nil, wire.FromStatus(err, "the plugin")
	}
	resp, err := life.Configure(ctx, &pluginv1.ConfigureRequest{
		Config: raw, HostBrokerId: hostID, Instance: d.GetName(), Generation: 1,
	})
	if err != nil {
		return nil, wire.FromStatus(err, "the plugin")
	}
	var problems []error
	for _, p := range resp.GetProblems() {
		problems = append(problems, &sdk.ConfigError{Path: p.GetPath(), Message: p.GetMessage(), Allowed: p.GetAllowed()})
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	tb.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if _, err := life.Stop(ctx, &pluginv1.StopRequest{}); err != nil {
			tb.Errorf("stop: %v", wire.FromStatus(err, "the plugin"))
		}
	})
	return &Running{Host: &Host{host}, plugin: host2plugin.New(conn), Declared: declared(p, d, resp)}, nil
}

func declared(p *sdk.Plugin, d *pluginv1.DescribeResponse, r *pluginv1.ConfigureResponse) Declared {
	out := Declared{
		Hooks: p.Info().Hooks, Policies: d.GetPolicies(),
		GuardMethods: r.GetGuard().GetMethods(), GuardCompare: r.GetGuard().GetCompare(), Events: r.GetEvents().GetMethods(),
	}
	if r.GetBridge() != nil {
		out.Bridge = host2plugin.BridgeSetup(r.GetBridge())
	}
	return out
}

// serve serves services in memory and returns a connection to them.
func serve(tb testing.TB, logger hclog.Logger, register func(*grpc.Server)) *grpc.ClientConn {
	tb.Helper()
	conn, stop, err := inmemory.Serve(logger, register)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(stop)
	return conn
}

// testWriter writes a plugin's log to its test.
type testWriter struct{ tb testing.TB }

func (w testWriter) Write(p []byte) (int, error) {
	w.tb.Logf("%s", p)
	return len(p), nil
}
