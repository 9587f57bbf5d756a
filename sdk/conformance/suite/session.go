package suite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"cdphost/sdk"
	"cdphost/sdk/fault"
	"cdphost/sdk/internal/fakehost"
	"cdphost/sdk/internal/host2plugin"
	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
	"cdphost/sdk/proto/wire"
)

// task is the one that the fake host has; nobody has the other.
var (
	task    = sdk.Task{Caller: "conformance", ID: "task"}
	unknown = sdk.Task{Caller: "conformance", ID: "ended"}
)

var facts = sdk.Facts{
	Epoch: 1, SessionID: "SESSION", TargetID: "TARGET", TabID: "t1", FrameID: "FRAME", LoaderID: "LOADER",
	Origin: "https://example.com", URL: "https://example.com/", Title: "Example",
}

// session is the state of one run.
type session struct {
	carrier  Carrier
	host     *fakehost.Host
	config   json.RawMessage
	patience time.Duration
	report   Report

	first *Instance
	all   []*Instance
	ask   *host2plugin.Client
	// declared is what the first instance said when it was configured.
	declared *pluginv1.ConfigureResponse
}

// start starts an instance.
func (s *session) start(ctx context.Context) (*Instance, error) {
	i, err := s.carrier.Start(ctx, s.host)
	if err == nil {
		s.all = append(s.all, i)
	}
	return i, err
}

// configure configures an instance.
func (s *session) configure(ctx context.Context, i *Instance, generation uint64) (*pluginv1.ConfigureResponse, error) {
	r, err := pluginv1.NewPluginClient(i.Conn).Configure(ctx, &pluginv1.ConfigureRequest{
		Config: s.config, HostBrokerId: i.HostID, Instance: "conformance", Generation: generation,
	})
	if err != nil {
		return nil, wire.FromStatus(err, "the plugin")
	}
	return r, problems(r.GetProblems())
}

func (s *session) validate(ctx context.Context, config string) ([]*pluginv1.ConfigProblem, error) {
	r, err := pluginv1.NewPluginClient(s.first.Conn).Validate(ctx, &pluginv1.ValidateRequest{Config: []byte(config)})
	return r.GetProblems(), wire.FromStatus(err, "the plugin")
}

func (s *session) close() {
	for _, i := range s.all {
		i.Close()
	}
}

// problems joins what a plugin finds wrong with its configuration.
func problems(in []*pluginv1.ConfigProblem) error {
	var errs []error
	for _, p := range in {
		errs = append(errs, &sdk.ConfigError{Path: p.GetPath(), Message: p.GetMessage(), Allowed: p.GetAllowed()})
	}
	return errors.Join(errs...)
}

// survived judges an answer that may be a refusal: what it must not be is a
// panic, a hang, or the end of the process.
func survived(what string, err error) error {
	switch code := fault.CodeOf(err); {
	case err == nil:
		return nil
	case strings.HasPrefix(err.Error(), "internal_error: panic in "), code == fault.Timeout, code == fault.PluginUnavailable, code == fault.Unsupported:
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}
