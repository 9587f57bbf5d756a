package plugin

import (
	"context"
	"errors"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// Manager runs the plugins that the configuration names. All methods may be
// called from several goroutines at once.
type Manager struct {
	opts     Options
	launcher *launcher
	table    atomic.Pointer[table]

	applying sync.Mutex // one Apply, Check or Close at a time
	closed   bool       // guarded by applying
	// numbers count the generations of each name, whichever unit starts them, so
	// that no two processes have the same. Guarded by applying.
	numbers  map[string]*atomic.Uint64
	retiring sync.WaitGroup
	release  func()
}

// New makes a manager without plugins. Close must be called.
func New(opts Options) (*Manager, error) {
	opts.setDefaults()
	if opts.Self == "" {
		self, err := os.Executable()
		if err != nil {
			return nil, fault.Wrap(err, fault.InternalError, "the path of the running program is not known: %v", err)
		}
		opts.Self = self
	}
	mark := newMark()
	dir, release, err := privateDir(mark)
	if err != nil {
		return nil, fault.Wrap(err, fault.InternalError, "no private folder for plugin sockets: %v", err)
	}
	m := &Manager{opts: opts, release: release, numbers: map[string]*atomic.Uint64{}}
	m.launcher = &launcher{opts: &m.opts, spawner: newSpawner(), dir: dir, mark: mark}
	m.table.Store(&table{})
	return m, nil
}

// Apply makes the running plugins those of specs. What has changed is started and
// configured first; only when all of it is ready are the plugins switched, in one
// step; the replaced ones finish their calls and are stopped in the background.
// On an error nothing has changed: a *ConfigError for what a plugin finds wrong
// with its configuration, else an error that names the plugin.
func (m *Manager) Apply(ctx context.Context, specs []Spec) error {
	m.applying.Lock()
	defer m.applying.Unlock()
	if m.closed {
		return fault.New(fault.PluginUnavailable, "the host is shutting down")
	}
	old := m.table.Load()
	units, fresh, err := m.prepare(ctx, old, specs)
	if err != nil {
		return err
	}
	next, err := newTable(m, units)
	if err != nil {
		for _, u := range fresh {
			u.current().close()
		}
		return err
	}
	for _, u := range fresh {
		go u.run()
	}
	m.table.Store(next)
	changed := len(fresh) > 0
	for name, u := range old.units {
		if next.units[name] != u {
			changed = true
			m.retiring.Go(func() { u.retire(m.opts.DrainTimeout) })
		}
	}
	if changed && old.units != nil { // the first plugins replace none
		m.Publish(supervisor.Event{Time: time.Now(), Method: HostConfigSwapped, Params: swapParams(fresh)})
	}
	if changed {
		m.opts.OnSwap()
	}
	return nil
}

// prepare starts what specs need and old does not have.
func (m *Manager) prepare(ctx context.Context, old *table, specs []Spec) (units map[string]*unit, fresh []*unit, err error) {
	units = make(map[string]*unit, len(specs))
	type started struct {
		name string
		unit *unit
		err  error
	}
	results := make(chan started, len(specs))
	pending := 0
	for i := range specs {
		spec := specs[i]
		if spec.Builtin != "" {
			spec.Grants.All = true
		}
		if u := old.units[spec.Name]; u != nil && u.serves(&spec) {
			units[spec.Name] = u
			continue
		}
		numbers := m.numbers[spec.Name]
		if numbers == nil {
			numbers = &atomic.Uint64{}
			m.numbers[spec.Name] = numbers
		}
		pending++
		go func() {
			g, err := m.launcher.begin(ctx, &spec, numbers.Add(1))
			if err == nil {
				err = g.configure(ctx)
			}
			if err != nil {
				results <- started{name: spec.Name, err: err}
				return
			}
			results <- started{name: spec.Name, unit: newUnit(m.launcher, g, numbers)}
		}()
	}
	var errs []error
	for range pending {
		r := <-results
		if r.err != nil {
			errs = append(errs, r.err)
			continue
		}
		units[r.name] = r.unit
		fresh = append(fresh, r.unit)
	}
	if len(errs) > 0 {
		for _, u := range fresh {
			u.current().close()
		}
		return nil, nil, errors.Join(errs...)
	}
	for _, u := range fresh {
		if before := old.units[u.spec.Name]; before != nil {
			u.restarts.Store(before.restarts.Load())
		}
		u.opts.Logger.Info("plugin started", "plugin", u.spec.Name, "version", u.desc.Version,
			"hooks", u.desc.Hooks, "generation", u.number, "pid", u.current().pid())
	}
	return units, fresh, nil
}

// Check asks the plugins of specs whether their configuration is right, in
// processes of its own, without touching those that run.
func (m *Manager) Check(ctx context.Context, specs []Spec) ([]Description, error) {
	m.applying.Lock()
	defer m.applying.Unlock()
	if m.closed {
		return nil, fault.New(fault.PluginUnavailable, "the host is shutting down")
	}
	descriptions := make([]Description, len(specs))
	errs := make([]error, len(specs))
	var wg sync.WaitGroup
	for i := range specs {
		wg.Go(func() { descriptions[i], errs[i] = m.launcher.check(ctx, &specs[i]) })
	}
	wg.Wait()
	return descriptions, errors.Join(errs...)
}

// Close ends all plugins and returns when their processes are gone; calls in
// flight have StopTimeout to finish.
func (m *Manager) Close() error {
	m.applying.Lock()
	defer m.applying.Unlock()
	if m.closed {
		return nil
	}
	m.closed = true
	old := m.table.Swap(&table{})
	for _, u := range old.units {
		m.retiring.Go(func() { u.retire(m.opts.StopTimeout) })
	}
	m.retiring.Wait()
	m.launcher.spawner.close()
	m.release()
	return nil
}

// Policies lists the dialog policies that the running plugins offer.
func (m *Manager) Policies() []string { return sortedNames(m.table.Load().policies) }
