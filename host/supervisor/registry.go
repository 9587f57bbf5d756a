package supervisor

import (
	"context"
	"slices"
	"sync"
	"time"

	"cdphost/host/endpoint"
	"cdphost/host/link"
	"cdphost/sdk/fault"

	"github.com/hashicorp/go-hclog"
)

// DefaultStartTimeout bounds the start of a task: browser, connection, set-up.
const DefaultStartTimeout = 15 * time.Second

// Options are the settings of a Registry.
type Options struct {
	Logger hclog.Logger
	// Link are the options of the links that tasks share.
	Link link.Options
	// StartTimeout bounds GetOrStart (15 s).
	StartTimeout time.Duration
}

// Registry knows the tasks: at most one supervisor for each Key, and a Record
// that outlives it. Methods may be called at once; none holds a lock while it
// waits.
type Registry struct {
	opts Options
	pool *link.Pool

	mu      sync.Mutex
	entries map[Key]*entry
	records map[Key]*Record
	closed  bool
	ending  sync.WaitGroup // supervisors that are being stopped in the background
}

// entry is the start, and then the life, of one supervisor.
type entry struct {
	key    Key
	endpt  string // spec key
	cancel context.CancelFunc
	ready  chan struct{} // closed when sup and err are final
	sup    *Supervisor
	err    error
	gone   chan struct{} // closed when everything of it has ended
}

// NewRegistry returns an empty registry.
func NewRegistry(o Options) *Registry {
	if o.Logger == nil {
		o.Logger = hclog.NewNullLogger()
	}
	if o.StartTimeout <= 0 {
		o.StartTimeout = DefaultStartTimeout
	}
	if o.Link.Logger == nil {
		o.Link.Logger = o.Logger
	}
	o.Link.StartTimeout = o.StartTimeout
	return &Registry{opts: o, pool: link.NewPool(o.Link), entries: map[Key]*entry{}, records: map[Key]*Record{}}
}

// GetOrStart returns the task's supervisor, starting it when there is none. The
// same key and endpoint give the same object; another endpoint stops the old
// supervisor and starts a new one that knows nothing of it. Of several callers at
// once one starts and all get its result. The error names the cause and hides the
// endpoint's secrets.
func (r *Registry) GetOrStart(ctx context.Context, key Key, spec endpoint.Spec, set Settings) (*Supervisor, error) {
	for {
		e, starter, old, err := r.claim(key, spec)
		if err != nil {
			return nil, err
		}
		if old != nil {
			r.end(ctx, old)
			continue
		}
		if starter {
			go r.start(e, spec, set)
		}
		select {
		case <-e.ready:
		case <-ctx.Done():
			return nil, fault.Wrap(ctx.Err(), fault.Timeout, "the task's browser was not ready in time")
		}
		if e.err != nil {
			return nil, e.err
		}
		return e.sup, nil
	}
}

// claim returns the key's entry and whether the caller has to start it, or an
// entry that has to go first.
func (r *Registry) claim(key Key, spec endpoint.Spec) (e *entry, starter bool, old *entry, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, false, nil, fault.New(fault.NoSupervisor, "the host is shutting down")
	}
	if e := r.entries[key]; e != nil {
		if e.endpt == spec.Key() {
			return e, false, nil, nil
		}
		return nil, false, e, nil
	}
	e = &entry{key: key, endpt: spec.Key(), ready: make(chan struct{}), gone: make(chan struct{})}
	r.entries[key] = e
	if r.records[key] == nil {
		r.records[key] = newRecord(key, time.Now())
	}
	return e, true, nil, nil
}

// start makes the supervisor of e. It runs to its end even when the caller that
// asked for it has gone: others may wait for it, and Stop cancels it.
func (r *Registry) start(e *entry, spec endpoint.Spec, set Settings) {
	ctx, cancel := context.WithTimeout(context.Background(), r.opts.StartTimeout)
	defer cancel()
	r.mu.Lock()
	e.cancel = cancel
	rec, stillWanted := r.records[e.key], r.entries[e.key] == e
	r.mu.Unlock()
	if !stillWanted {
		cancel()
	}
	sup, err := r.open(ctx, rec, spec, set)
	if err != nil {
		e.err = err
		r.remove(e)
		close(e.gone)
		close(e.ready)
		return
	}
	r.mu.Lock()
	e.sup = sup
	if r.entries[e.key] != e {
		e.err = fault.New(fault.NoSupervisor, "the task was stopped while it started")
	}
	r.mu.Unlock()
	close(e.ready)
	if sup.link.Err() != nil { // lost before the entry knew its supervisor
		r.evict(sup)
	}
}

func (r *Registry) open(ctx context.Context, rec *Record, spec endpoint.Spec, set Settings) (*Supervisor, error) {
	sup := newSupervisor(rec, spec, set, r.opts.Logger)
	sup.onLost = r.evict
	l, err := r.pool.Acquire(ctx, spec)
	if err != nil {
		sup.cancel()
		return nil, err
	}
	sup.link = l
	sup.member, err = l.Join(view{sup})
	if err != nil {
		sup.cancel()
		r.pool.Release(l)
		return nil, err
	}
	return sup, nil
}

// evict removes a supervisor whose link gave up, and only it. It runs on the
// link's goroutine, so the end is waited for elsewhere.
func (r *Registry) evict(s *Supervisor) {
	r.mu.Lock()
	e := r.entries[s.key]
	if e == nil || e.sup != s {
		r.mu.Unlock()
		return
	}
	delete(r.entries, s.key)
	r.ending.Add(1)
	r.mu.Unlock()
	go func() {
		defer r.ending.Done()
		r.finish(e)
	}()
}

func (r *Registry) remove(e *entry) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.entries[e.key] != e {
		return false
	}
	delete(r.entries, e.key)
	return true
}

// end takes e out and waits until everything of it has ended, whoever ends it.
func (r *Registry) end(ctx context.Context, e *entry) {
	if !r.remove(e) {
		select {
		case <-e.gone:
		case <-ctx.Done():
		}
		return
	}
	r.mu.Lock()
	cancel := e.cancel
	r.mu.Unlock()
	if cancel != nil {
		cancel()
	}
	<-e.ready
	if e.sup != nil {
		r.finish(e)
	}
}

// finish stops a started supervisor and gives its link back.
func (r *Registry) finish(e *entry) {
	e.sup.stop()
	r.pool.Release(e.sup.link)
	close(e.gone)
}

// Get returns the task's supervisor if it has one. It starts nothing.
func (r *Registry) Get(key Key) (*Supervisor, bool) {
	r.mu.Lock()
	e := r.entries[key]
	r.mu.Unlock()
	if e == nil {
		return nil, false
	}
	select {
	case <-e.ready:
		return e.sup, e.err == nil
	default:
		return nil, false
	}
}

// Record returns the task's record, making it if there is none.
func (r *Registry) Record(key Key) *Record {
	r.mu.Lock()
	defer r.mu.Unlock()
	rec := r.records[key]
	if rec == nil {
		rec = newRecord(key, time.Now())
		r.records[key] = rec
	}
	return rec
}

// Known returns the task's record if the task was ever started and not forgotten.
func (r *Registry) Known(key Key) (*Record, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	rec, ok := r.records[key]
	return rec, ok
}

// Tasks returns the keys of a caller's tasks in order, or of everybody's for "".
func (r *Registry) Tasks(caller string) []Key {
	r.mu.Lock()
	defer r.mu.Unlock()
	var keys []Key
	for k := range r.records {
		if caller == "" || k.Caller == caller {
			keys = append(keys, k)
		}
	}
	slices.SortFunc(keys, func(a, b Key) int {
		if c := compare(a.Caller, b.Caller); c != 0 {
			return c
		}
		return compare(a.TaskID, b.TaskID)
	})
	return keys
}

func compare(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// Stop ends the task's supervisor, or its start, and returns when nothing of it
// is left. The task's record stays. Without a supervisor it does nothing.
func (r *Registry) Stop(ctx context.Context, key Key) {
	r.mu.Lock()
	e := r.entries[key]
	r.mu.Unlock()
	if e != nil {
		r.end(ctx, e)
	}
}

// Forget stops the task and drops its record.
func (r *Registry) Forget(ctx context.Context, key Key) {
	r.Stop(ctx, key)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.entries[key] == nil {
		delete(r.records, key)
	}
}

// StopAll stops every task and refuses new ones. It returns when nothing is left.
func (r *Registry) StopAll(ctx context.Context) {
	r.mu.Lock()
	r.closed = true
	entries := make([]*entry, 0, len(r.entries))
	for _, e := range r.entries {
		entries = append(entries, e)
	}
	r.mu.Unlock()
	var wg sync.WaitGroup
	for _, e := range entries {
		wg.Go(func() { r.end(ctx, e) })
	}
	wg.Wait()
	r.ending.Wait()
}

// Each calls f for every running supervisor.
func (r *Registry) Each(f func(*Supervisor)) {
	for _, k := range r.Tasks("") {
		if s, ok := r.Get(k); ok {
			f(s)
		}
	}
}
