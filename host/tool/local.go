package tool

import (
	"context"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"

	"cdphost/host/capture"
	"cdphost/host/endpoint"
	"cdphost/host/page"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// Plan is what configuration gives to a task of a toolset.
type Plan struct {
	Spec     endpoint.Spec
	Settings supervisor.Settings
	// Page bounds the actions; its Host is filled in.
	Page page.Options
	// Holder is the sender of the task's commands, with what the toolset allows
	// beyond the usual.
	Holder capture.Holder
}

// LocalOptions configure a Local. All but Budget, Changed and Logger must be set.
type LocalOptions struct {
	Registry *supervisor.Registry
	Captures *capture.Manager
	// Plan looks a toolset's configuration up. It is asked at each start, so that
	// a changed configuration holds from then on.
	Plan func(toolset string) (Plan, error)
	// Join makes the endpoint of browser_connect from what the agent gave as url.
	Join func(url string) (endpoint.Spec, error)
	// Budget is what tasks of a toolset may use; nil bounds none.
	Budget func(toolset string) Budget
	// Idle is after how long without a call a task is ended; 0 is never.
	Idle func() time.Duration
	// Changed is told when a task was attached or detached, which can turn gates.
	Changed func()
	Logger  hclog.Logger
}

// Local is the Directory of tasks on this machine. Close it after the
// registry's StopAll.
type Local struct {
	opts LocalOptions
	log  hclog.Logger

	mu    sync.Mutex
	tasks map[supervisor.Key]*localTask
	// made remembers the toolset that a task was made through, until the task is
	// forgotten; joined the user's browser that it is on, until it is stopped.
	made   map[supervisor.Key]string
	spent  map[supervisor.Key]spending // of the same tasks
	joined map[supervisor.Key]endpoint.Spec

	work sync.WaitGroup
	stop context.CancelFunc
}

// NewLocal makes a Local and starts to end idle tasks.
func NewLocal(o LocalOptions) *Local {
	if o.Logger == nil {
		o.Logger = hclog.NewNullLogger()
	}
	if o.Changed == nil {
		o.Changed = func() {}
	}
	if o.Budget == nil {
		o.Budget = func(string) Budget { return Budget{} }
	}
	ctx, stop := context.WithCancel(context.Background())
	l := &Local{
		opts: o, log: o.Logger, stop: stop,
		tasks:  make(map[supervisor.Key]*localTask),
		made:   make(map[supervisor.Key]string),
		spent:  make(map[supervisor.Key]spending),
		joined: make(map[supervisor.Key]endpoint.Spec),
	}
	l.work.Go(func() { l.reap(ctx) })
	return l
}

// Close waits until everything of the tasks has ended. The registry has been
// stopped before.
func (l *Local) Close() {
	l.stop()
	l.work.Wait()
}

// Tasks implements Directory.
func (l *Local) Tasks(caller string) []string {
	keys := l.opts.Registry.Tasks(caller)
	ids := make([]string, len(keys))
	for i, k := range keys {
		ids[i] = k.TaskID
	}
	return ids
}

// Task implements Directory.
func (l *Local) Task(_ context.Context, caller, id string) (Task, error) {
	key := supervisor.Key{Caller: caller, TaskID: id}
	record, known := l.opts.Registry.Known(key)
	if !known {
		return nil, fault.New(fault.TaskNotFound, "There is no task %q. browser_navigate makes a new one.", id).
			With("tasks", l.Tasks(caller))
	}
	record.Touch(time.Now())
	sup, running := l.opts.Registry.Get(key)
	if !running {
		return nil, fault.New(fault.NoSupervisor, "The task %q has no browser now. Call browser_navigate to start it again.", id)
	}
	return l.of(sup)
}

// Start implements Directory.
func (l *Local) Start(ctx context.Context, caller, id string, set *Toolset) (Task, error) {
	key := supervisor.Key{Caller: caller, TaskID: id}
	l.mu.Lock()
	toolset, made := l.madeLocked(key, set)
	joined, isJoined := l.joined[key]
	l.mu.Unlock()
	plan, err := l.opts.Plan(toolset)
	if err != nil {
		return nil, err
	}
	if isJoined {
		plan.Spec = joined
	}
	t, err := l.start(ctx, key, plan)
	if err != nil && !made {
		l.forget(ctx, key) // a task that never was leaves nothing
	}
	return t, err
}

func (l *Local) start(ctx context.Context, key supervisor.Key, plan Plan) (Task, error) {
	sup, err := l.opts.Registry.GetOrStart(ctx, key, plan.Spec, plan.Settings)
	if err != nil {
		return nil, err
	}
	sup.Record().Touch(time.Now())
	return l.of(sup)
}

// of returns the task of a supervisor, made on first use.
func (l *Local) of(sup *supervisor.Supervisor) (Task, error) {
	key := sup.Key()
	l.mu.Lock()
	toolset := l.made[key]
	t := l.tasks[key]
	l.mu.Unlock()
	if t != nil && t.Supervisor == sup {
		return t, nil
	}
	plan, err := l.opts.Plan(toolset)
	if err != nil {
		return nil, err
	}
	t = newLocalTask(sup, l.opts.Captures, plan)
	l.mu.Lock()
	if other := l.tasks[key]; other != nil && other.Supervisor == sup {
		l.mu.Unlock()
		t.close()
		return other, nil
	}
	l.tasks[key] = t
	l.work.Go(func() { l.tend(t) })
	l.mu.Unlock()
	l.opts.Changed()
	return t, nil
}

// tend waits for the end of a task's supervisor and cleans up after it.
func (l *Local) tend(t *localTask) {
	<-t.Done()
	l.mu.Lock()
	if l.tasks[t.Key()] == t {
		delete(l.tasks, t.Key())
	}
	l.mu.Unlock()
	t.close()
	l.opts.Changed()
}

// Attached reports whether a task of the caller has a browser, for gates.
func (l *Local) Attached(caller string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for key := range l.tasks {
		if key.Caller == caller {
			return true
		}
	}
	return false
}

// Reconfigure gives every running task the settings that configuration has for
// it now. Dialogs that are held are decided anew where the policy has changed.
func (l *Local) Reconfigure() {
	l.mu.Lock()
	tasks := make(map[*localTask]string, len(l.tasks))
	for key, t := range l.tasks {
		tasks[t] = l.made[key]
	}
	l.mu.Unlock()
	for t, toolset := range tasks {
		plan, err := l.opts.Plan(toolset)
		if err != nil {
			l.log.Warn("a task keeps its settings", "task", t.Key(), "toolset", toolset, "error", err)
			continue
		}
		t.Configure(plan.Settings)
	}
}
