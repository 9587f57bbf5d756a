package plugin

import (
	"context"
	"errors"
	"time"

	"cdphost/sdk/fault"
	"cdphost/sdk/proto/wire"
)

// invocation is how one hook is called.
type invocation struct {
	// hook names it.
	hook string
	// timeout bounds the call; 0 leaves it to the caller's context.
	timeout time.Duration
	// soft is after how long the plugin's health is checked meanwhile.
	soft time.Duration
	// again lets a call that died with its process run on the next one: the hook
	// only judges.
	again bool
}

// maxAttempts bounds how often one call follows a plugin that keeps dying.
const maxAttempts = 3

// invoke runs f on the current generation of the plugin that find names. Errors
// carry fault codes; fault.PluginUnavailable when nothing could be asked.
func invoke[T any](ctx context.Context, find func() (*unit, error), in invocation, f func(context.Context, *generation) (T, error)) (T, error) {
	var zero T
	if in.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, in.timeout)
		defer cancel()
	}
	var last *unit
	for attempt := 1; ; attempt++ {
		u, err := find()
		if err != nil {
			return zero, err
		}
		v, err := traced(ctx, u, in, f)
		switch {
		case err == nil:
			return v, nil
		case errors.Is(err, errRetired) && u != last:
			last = u // a swap: the table names the next one by now
			continue
		case errors.Is(err, errRetired):
			return zero, fault.New(fault.PluginUnavailable, "plugin %s is being stopped", u.spec.Name)
		case in.again && attempt < maxAttempts && u.succeeds(ctx, err):
			continue
		}
		return zero, err
	}
}

// diedError is a call whose process ended under it.
type diedError struct {
	error
	g *generation
}

func (e diedError) Unwrap() error { return e.error }

// succeeds reports whether err is a call that died with its process, and waits
// until the supervisor has seen that end, so that the next attempt finds the next
// generation.
func (u *unit) succeeds(ctx context.Context, err error) bool {
	var died diedError
	if !errors.As(err, &died) {
		return false
	}
	for {
		u.mu.Lock()
		current, changed := u.gen, u.changed
		u.mu.Unlock()
		if current != died.g {
			return true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return false
		}
	}
}

// traced is once within a span.
func traced[T any](ctx context.Context, u *unit, in invocation, f func(context.Context, *generation) (T, error)) (T, error) {
	ctx, end := u.span(ctx, in.hook)
	v, err := once(ctx, u, in, f)
	if end != nil {
		end(err)
	}
	return v, err
}

func once[T any](ctx context.Context, u *unit, in invocation, f func(context.Context, *generation) (T, error)) (T, error) {
	var zero T
	if !u.breaker.allow(time.Now()) {
		return zero, fault.New(fault.PluginUnavailable,
			"plugin %s did not answer %d calls in a row; it is tried again in a few seconds", u.spec.Name, breakerFailures)
	}
	g, err := u.acquire(ctx)
	if err != nil {
		u.breaker.cancelled()
		return zero, err
	}
	defer g.leave()
	soft := time.AfterFunc(in.soft, g.checkSoon)
	defer soft.Stop()

	start := time.Now()
	v, err := f(ctx, g)
	took := time.Since(start)
	if err == nil {
		u.breaker.record(time.Now(), true)
		u.latencies.add(took, false)
		return v, nil
	}
	err = wire.FromStatus(err, g.peer())
	if errors.Is(err, fault.Aborted) && ctx.Err() == nil {
		err = fault.Wrap(err, fault.PluginUnavailable, "%s was ended during the call", g.peer())
	}
	u.latencies.add(took, true)
	switch fault.CodeOf(err) {
	case fault.Timeout:
		u.breaker.record(time.Now(), false)
		g.checkSoon()
	case fault.Aborted:
		u.breaker.cancelled()
	case fault.PluginUnavailable:
		u.breaker.cancelled()
		g.checkSoon() // the process may live on without its connection
		return zero, diedError{err, g}
	default:
		u.breaker.record(time.Now(), true)
	}
	return zero, err
}
