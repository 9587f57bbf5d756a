package local

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"cdphost/host/capture"
	"cdphost/host/endpoint"
	"cdphost/host/page"
	"cdphost/host/supervisor"
	"cdphost/host/tool"
	"cdphost/sdk/fault"
)

// Options are what a Directory works with. All are required.
type Options struct {
	Registry *supervisor.Registry
	Captures *capture.Manager
	// Backend returns where the configured browser is.
	Backend func() (endpoint.Spec, error)
	// Settings returns what configuration says about tasks of a toolset.
	Settings func(toolset string) supervisor.Settings
	// Holder returns what an agent may do with tasks of a toolset.
	Holder func(toolset string) capture.Holder
	// Page returns the options of a task's page actions; their Host is filled in.
	Page func() page.Options
	// Changed is called when a task was attached or ended; it must not wait.
	Changed func()
}

// Directory implements tool.Directory. It is safe for concurrent use.
type Directory struct {
	o Options

	engines sync.WaitGroup // goroutines that close engines with their tasks

	mu    sync.Mutex
	tasks map[supervisor.Key]*Task // of the supervisor that each was made for
}

var _ tool.Directory = (*Directory)(nil)

// New makes a Directory.
func New(o Options) *Directory {
	return &Directory{o: o, tasks: map[supervisor.Key]*Task{}}
}

// Tasks lists the ids of a caller's tasks.
func (d *Directory) Tasks(caller string) []string {
	keys := d.o.Registry.Tasks(caller)
	ids := make([]string, len(keys))
	for i, k := range keys {
		ids[i] = k.TaskID
	}
	return ids
}

// Task returns an attached task.
func (d *Directory) Task(_ context.Context, caller, id string) (tool.Task, error) {
	key := supervisor.Key{Caller: caller, TaskID: id}
	rec, known := d.o.Registry.Known(key)
	if !known {
		return nil, d.notFound(caller, id)
	}
	rec.Touch(time.Now())
	s, ok := d.o.Registry.Get(key)
	if !ok {
		return nil, fault.New(fault.NoSupervisor, "the task %s has no browser now; browser_navigate starts it", id)
	}
	return d.task(s), nil
}

func (d *Directory) notFound(caller, id string) error {
	ids := d.Tasks(caller)
	known := "there are none yet; browser_navigate makes one"
	if len(ids) > 0 {
		known = "there are: " + strings.Join(ids, ", ")
	}
	return fault.New(fault.TaskNotFound, "there is no task %q; %s", id, known).With("tasks", ids)
}

// Start returns a task that is attached, starting it on the configured browser
// when it is attached to none.
func (d *Directory) Start(ctx context.Context, caller, id string, set *tool.Toolset) (tool.Task, error) {
	key := supervisor.Key{Caller: caller, TaskID: id}
	if s, ok := d.o.Registry.Get(key); ok {
		s.Record().Touch(time.Now())
		return d.task(s), nil
	}
	spec, err := d.o.Backend()
	if err != nil {
		return nil, err
	}
	return d.start(ctx, key, spec, set)
}

func (d *Directory) start(ctx context.Context, key supervisor.Key, spec endpoint.Spec, set *tool.Toolset) (*Task, error) {
	s, err := d.o.Registry.GetOrStart(ctx, key, spec, d.o.Settings(set.Name))
	if err != nil {
		if _, running := d.o.Registry.Get(key); !running && s == nil && d.fresh(key) {
			d.o.Registry.Forget(context.WithoutCancel(ctx), key)
		}
		return nil, err
	}
	s.Record().Touch(time.Now())
	d.o.Changed()
	return d.task(s), nil
}

// fresh reports whether a task has never had a page: nothing is lost with it.
func (d *Directory) fresh(key supervisor.Key) bool {
	rec, ok := d.o.Registry.Known(key)
	return ok && !rec.Used()
}

// Connect attaches a task to a browser that a user owns and gives it a tab there:
// an adopted one, or one of its own.
func (d *Directory) Connect(ctx context.Context, caller, id string, set *tool.Toolset, to tool.Connection) (tool.Task, error) {
	spec, err := d.userBrowser(ctx, to.URL)
	if err != nil {
		return nil, err
	}
	t, err := d.start(ctx, supervisor.Key{Caller: caller, TaskID: id}, spec, set)
	if err != nil {
		return nil, err
	}
	if to.Adopt != "" {
		return t, t.adopt(ctx, to.Adopt)
	}
	if len(t.Snapshot().Pages) == 0 {
		if _, err := t.OpenPage(ctx, true); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// userBrowser says which browser to join: the one named, the configured one of
// backend cdp, or the one that listens where browsers usually do.
func (d *Directory) userBrowser(ctx context.Context, raw string) (endpoint.Spec, error) {
	spec := endpoint.Spec{Kind: endpoint.CDP, UserOwned: true}
	if raw == "" {
		if configured, err := d.o.Backend(); err == nil && configured.Kind == endpoint.CDP {
			spec.URL, spec.Profile = configured.URL, configured.Profile
			return spec, nil
		}
		found := endpoint.Discover(ctx)
		if len(found) == 0 {
			return spec, fault.New(fault.EndpointUnreachable,
				"no browser with remote debugging was found; start one with --remote-debugging-port=9222 and a --user-data-dir, or name its url")
		}
		spec.URL = found[0].URL
		return spec, nil
	}
	u, err := endpoint.ParseURL(raw)
	if err != nil {
		return spec, err
	}
	spec.URL = u
	return spec, nil
}

// Disconnect ends a task's use of its browser.
func (d *Directory) Disconnect(ctx context.Context, caller, id string) error {
	key := supervisor.Key{Caller: caller, TaskID: id}
	if _, known := d.o.Registry.Known(key); !known {
		return d.notFound(caller, id)
	}
	d.End(ctx, key)
	return nil
}

// End stops a task and forgets it.
func (d *Directory) End(ctx context.Context, key supervisor.Key) {
	d.o.Registry.Forget(ctx, key)
	d.mu.Lock()
	delete(d.tasks, key)
	d.mu.Unlock()
	d.o.Changed()
}

// Close waits until everything of the tasks has ended. The registry was stopped
// before.
func (d *Directory) Close() { d.engines.Wait() }

// Reap ends the tasks that nobody has used since before, and returns them. A task
// with an open dialog stays: its watchdog ends that first.
func (d *Directory) Reap(ctx context.Context, before time.Time) []supervisor.Key {
	var ended []supervisor.Key
	for _, key := range d.o.Registry.Tasks("") {
		rec, ok := d.o.Registry.Known(key)
		if !ok || rec.LastUsed().After(before) {
			continue
		}
		if s, ok := d.o.Registry.Get(key); ok && len(s.Snapshot().Pending) > 0 {
			continue
		}
		d.End(ctx, key)
		ended = append(ended, key)
	}
	return ended
}

// task returns the Task of a supervisor, the same one while the supervisor lives.
func (d *Directory) task(s *supervisor.Supervisor) *Task {
	d.mu.Lock()
	defer d.mu.Unlock()
	if t := d.tasks[s.Key()]; t != nil && t.sup == s {
		return t
	}
	t := &Task{sup: s, captures: d.o.Captures, holder: d.o.Holder}
	t.engine = sync.OnceValue(func() *page.Engine {
		o := d.o.Page()
		o.Host = page.Supervised(s, t.Call)
		e := page.New(o)
		d.engines.Go(func() {
			<-s.Done()
			e.Close()
		})
		return e
	})
	d.tasks[s.Key()] = t
	return t
}

// gone reports a connection that dropped between capture and call.
func gone(err error) bool { return errors.Is(err, fault.CaptureInvalid) }
