package plugin

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"cdphost/sdk/fault"
)

// unit is a plugin under supervision: its current generation, and the goroutine
// that starts the next one when it ends.
type unit struct {
	spec *Spec
	opts *Options
	l    *launcher
	// What the first generation declared; one with the same configuration
	// declares the same.
	desc   Description
	tools  []Tool
	bridge *BridgeSetup
	guard  *guardFilter

	program program
	numbers *atomic.Uint64 // of generations, shared with the units before and after

	breaker   breaker
	latencies latencies
	queue     *eventQueue // nil without the event hook
	restarts  atomic.Uint64

	stop  chan struct{} // closed to retire
	drain time.Duration // how long calls may take then; valid after stop
	done  chan struct{}

	mu      sync.Mutex
	gen     *generation   // nil while there is none
	number  uint64        // of the last generation
	changed chan struct{} // closed at each change of gen, failure or retired
	failure string        // why calls fail at once, "" while a restart is due
	retired bool
}

func newUnit(l *launcher, g *generation, numbers *atomic.Uint64) *unit {
	u := &unit{
		spec: g.spec, opts: l.opts, l: l, desc: g.desc, program: programOf(g.spec), gen: g, number: g.number, numbers: numbers,
		tools: g.tools, bridge: g.bridge, guard: g.guard,
		stop: make(chan struct{}), done: make(chan struct{}), changed: make(chan struct{}),
	}
	if g.desc.has(hookEvent) {
		u.queue = newEventQueue(g.spec, g.events, l.opts.EventQueue)
	}
	return u
}

// run supervises until stop is closed.
func (u *unit) run() {
	defer close(u.done)
	failures := 0
	g := u.gen
	for {
		if !u.attend(g) {
			return
		}
		if time.Since(g.started) >= u.opts.RefillAfter {
			failures = 0
		}
		if g = u.restart(&failures); g == nil {
			return
		}
	}
}

// attend stays with a generation until it ends. It reports false when the unit
// was retired.
func (u *unit) attend(g *generation) bool {
	stop := make(chan struct{})
	var helpers sync.WaitGroup
	helpers.Go(func() { g.watchHealth(stop) })
	if u.queue != nil {
		helpers.Go(func() { g.pumpEvents(u.queue, stop) })
	}
	end := func() {
		close(stop)
		helpers.Wait()
	}
	select {
	case <-g.exited():
		u.set(nil, "", false)
		g.close()
		end()
		u.logEnd(g)
		return true
	case <-u.stop:
		u.set(nil, "", true)
		end()
		g.retire(u.drain)
		return false
	}
}

func (u *unit) logEnd(g *generation) {
	g.mu.Lock()
	cause := g.cause
	g.mu.Unlock()
	if cause == "" {
		cause = "connection lost"
		if p := g.link.process; p != nil {
			cause = p.exitText()
		}
	}
	g.logger.Error("plugin ended; it will be started again", "cause", cause, "generation", g.number)
}

// restart starts the next generation, with backoff and a budget. It returns nil
// when the unit was retired.
func (u *unit) restart(failures *int) *generation {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	helper := make(chan struct{})
	go func() {
		defer close(helper)
		select {
		case <-u.stop:
			cancel()
		case <-ctx.Done():
		}
	}()
	defer func() { cancel(); <-helper }()

	why := "it ended again and again"
	for {
		if *failures >= u.opts.RestartBudget {
			u.set(nil, why, false)
		}
		if !u.pause(ctx, u.backoff(*failures)) {
			u.set(nil, "", true)
			return nil
		}
		*failures++
		g, err := u.start(ctx)
		switch {
		case err == nil:
			u.restarts.Add(1)
			u.breaker.reset()
			u.set(g, "", false)
			g.logger.Info("plugin started again", "generation", g.number, "pid", g.pid())
			u.opts.OnRestart(u.spec.Name)
			return g
		case ctx.Err() != nil:
			u.set(nil, "", true)
			return nil
		}
		u.opts.Logger.Error("plugin did not start again", "plugin", u.spec.Name, "error", err, "attempt", *failures)
		why = err.Error()
	}
}

// backoff returns how long to wait before the next start.
func (u *unit) backoff(failures int) time.Duration {
	switch {
	case failures == 0:
		return 0
	case failures >= u.opts.RestartBudget:
		return u.opts.CoolDown
	default:
		return min(u.opts.BackoffMin<<(failures-1), u.opts.BackoffMax)
	}
}

func (u *unit) pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}

// start makes the next generation.
func (u *unit) start(ctx context.Context) (*generation, error) {
	number := u.numbers.Add(1)
	u.mu.Lock()
	u.number = number
	u.mu.Unlock()
	g, err := u.l.begin(ctx, u.spec, number)
	if err != nil {
		return nil, err
	}
	return g, g.configure(ctx)
}

// set publishes a change and wakes all who wait for one.
func (u *unit) set(g *generation, failure string, retired bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.gen, u.failure, u.retired = g, failure, retired
	close(u.changed)
	u.changed = make(chan struct{})
}

// errRetired tells a client to look for the unit that took over.
var errRetired = errors.New("plugin: replaced")

// acquire returns the current generation with the caller counted in. While a
// restart is due it waits for it, as long as ctx allows.
func (u *unit) acquire(ctx context.Context) (*generation, error) {
	for {
		u.mu.Lock()
		g, failure, retired, changed := u.gen, u.failure, u.retired, u.changed
		u.mu.Unlock()
		switch {
		case retired:
			return nil, errRetired
		case g != nil && g.enter():
			return g, nil
		case g != nil:
			return nil, errRetired
		case failure != "":
			return nil, fault.New(fault.PluginUnavailable, "plugin %s is out of order: %s", u.spec.Name, failure)
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, fault.Wrap(ctx.Err(), fault.PluginUnavailable, "plugin %s is being started again", u.spec.Name)
		}
	}
}

func (g *generation) pid() int {
	if g.link.process == nil {
		return g.spec.Reattach.PID
	}
	return g.link.process.PID()
}
