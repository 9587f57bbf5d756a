package suite

import (
	"context"
	"errors"
	"fmt"
	"time"

	"cdphost/sdk/internal/host2plugin"
	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
	"cdphost/sdk/proto/wire"
)

var endChecks = []check{
	{
		name: "every handle was released", run: handlesAreReleased,
		advice: "release what Host.Capture returned, with defer and a context that still lives",
	},
	{
		name: "it is well after all that", needed: true, run: stillWell,
		advice: "a call must not take the process with it: recover in goroutines of your own, and look at what the log says",
	},
	{
		name: "a second one can run beside it", run: secondBeside,
		advice: "on a change of the configuration the new process is made ready while the old one works: take no lock, port or file for yourself alone",
	},
	{
		name: "it starts again after a crash", run: startsAgain,
		advice: "leave nothing behind that stops the next start",
	},
	{
		name: "it stops", run: itStops,
		advice: "Stop must write out what is buffered and return soon",
	},
	{
		name: "its process ends when the host is gone", run: processEnds,
		advice: "let sdk.Serve end the process; start no child that outlives it and block no signal",
	},
}

// pollInterval is between two looks at what has no event of its own.
const pollInterval = 5 * time.Millisecond

func handlesAreReleased(ctx context.Context, s *session) (string, error) {
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	// A release may still be on its way when its call has been answered.
	ctx, cancel := context.WithTimeout(ctx, s.patience/5)
	defer cancel()
	for s.host.Open() > 0 {
		select {
		case <-ctx.Done():
			return "", fmt.Errorf("%d handles are still held after all calls have ended", s.host.Open())
		case <-tick.C:
		}
	}
	return "", nil
}

func stillWell(ctx context.Context, s *session) (string, error) {
	if s.first.exited() {
		return "", errors.New("the process has ended")
	}
	return "", s.ask.Health(ctx)
}

func secondBeside(ctx context.Context, s *session) (string, error) {
	second, err := s.ready(ctx, 2)
	if err != nil {
		return "", err
	}
	second.Close()
	return "", s.ask.Health(ctx)
}

func startsAgain(ctx context.Context, s *session) (string, error) {
	crashing, err := s.ready(ctx, 3)
	if err != nil {
		return "", err
	}
	if crashing.Kill == nil {
		return "", skip("it is no process of its own here")
	}
	crashing.Kill()
	select {
	case <-crashing.Exited:
	case <-ctx.Done():
		return "", ctx.Err()
	}
	next, err := s.ready(ctx, 4)
	if err == nil {
		next.Close()
	}
	return "", err
}

// ready starts and configures one more instance.
func (s *session) ready(ctx context.Context, generation uint64) (*Instance, error) {
	i, err := s.start(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := s.configure(ctx, i, generation); err != nil {
		return nil, err
	}
	return i, host2plugin.New(i.Conn).Health(ctx)
}

func itStops(ctx context.Context, s *session) (string, error) {
	_, err := pluginv1.NewPluginClient(s.first.Conn).Stop(ctx, &pluginv1.StopRequest{})
	return "", wire.FromStatus(err, "the plugin")
}

func processEnds(ctx context.Context, s *session) (string, error) {
	if s.first.Disconnect == nil {
		return "", skip("it is no process of its own here")
	}
	s.first.Disconnect()
	select {
	case <-s.first.Exited:
		return "", nil
	case <-ctx.Done():
		return "", errors.New("the process lives on")
	}
}
