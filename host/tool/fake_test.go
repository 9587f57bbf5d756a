package tool

import (
	"context"
	"encoding/json"
	"slices"
	"sync"

	"cdphost/host/capture"
	"cdphost/host/dialog"
	"cdphost/host/frame"
	"cdphost/host/page"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// fakeTask is a Task whose state and replies the test sets.
type fakeTask struct {
	table   *frame.Table
	mu      sync.Mutex
	snap    *supervisor.Snapshot
	changed chan struct{}
	sent    []sentCommand
	console []supervisor.ConsoleEntry
	// on answers commands by method; one without is answered with {}.
	on map[string]func(ctx context.Context, f *fakeTask, params json.RawMessage) (json.RawMessage, error)
	// elements and act stand for the engine of actions.
	elements func(context.Context) (*page.Elements, error)
	act      func(context.Context, json.RawMessage) *page.Reply
	// answer stands for AnswerDialog.
	answer func(id, action string, text *string) (dialog.Closed, error)
}

type sentCommand struct {
	Session, Method string
	Params          string
}

const (
	topSession = "S-TOP"
	adSession  = "S-AD"
)

// newFakeTask has one page with a same-process frame and an OOIF.
func newFakeTask() *fakeTask {
	table := frame.NewTable("F-TOP", topSession)
	seed := func(session, tree string) {
		if err := table.Seed(session, []byte(tree)); err != nil {
			panic(err)
		}
	}
	seed(topSession, `{"frameTree":{"frame":{"id":"F-TOP","loaderId":"L1","url":"http://shop.test/","securityOrigin":"http://shop.test"},
		"childFrames":[{"frame":{"id":"F-SAME","parentId":"F-TOP","loaderId":"L1","url":"about:srcdoc","securityOrigin":"http://shop.test"}},
		{"frame":{"id":"F-AD","parentId":"F-TOP","loaderId":"L1","url":"","securityOrigin":""}}]}}`)
	table.Attached(adSession, "F-AD", "F-TOP", "http://ads.test/")
	seed(adSession, `{"frameTree":{"frame":{"id":"F-AD","parentId":"F-TOP","loaderId":"L2","url":"http://ads.test/","securityOrigin":"http://ads.test"}}}`)
	if _, err := table.Apply(topSession, "Runtime.executionContextCreated",
		[]byte(`{"context":{"id":1,"uniqueId":"ctx-1","origin":"http://shop.test","name":"","auxData":{"isDefault":true,"frameId":"F-SAME"}}}`)); err != nil {
		panic(err)
	}
	return &fakeTask{
		table: table, changed: make(chan struct{}),
		on: make(map[string]func(context.Context, *fakeTask, json.RawMessage) (json.RawMessage, error)),
		snap: &supervisor.Snapshot{
			Task: supervisor.Key{Caller: "local", TaskID: "default"}, Seq: 1, Epoch: 1, Connected: true, Current: "t1",
			Backend: supervisor.Backend{Kind: "local", Product: "Chrome/156", Capabilities: map[string]bool{"dialogs": true}},
			Pages: []*supervisor.Page{{
				TabID: "t1", TargetID: "F-TOP", SessionID: topSession, URL: "http://shop.test/", Title: "Shop",
				LoaderID: "L1", LoadedLoader: "L1", Ready: true, Frames: table.Freeze(),
			}},
		},
	}
}

// update publishes a changed copy of the state.
func (f *fakeTask) update(change func(s *supervisor.Snapshot, p *supervisor.Page)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := *f.snap
	s.Seq++
	s.Pages = slices.Clone(s.Pages)
	for i, p := range s.Pages {
		c := *p
		s.Pages[i] = &c
	}
	var first *supervisor.Page
	if len(s.Pages) > 0 {
		first = s.Pages[0]
	}
	change(&s, first)
	f.snap = &s
	close(f.changed)
	f.changed = make(chan struct{})
}

// open raises a dialog on the page.
func (f *fakeTask) open(d dialog.Dialog) {
	f.update(func(s *supervisor.Snapshot, p *supervisor.Page) {
		s.Pending = append(slices.Clone(s.Pending), d)
		p.BlockedBy = d.ID
	})
}

func confirm(id, frameID string) dialog.Dialog {
	d := dialog.Dialog{ID: id, State: dialog.Held}
	d.Type, d.Message, d.URL = dialog.Confirm, "Place the order?", "http://shop.test/"
	d.FrameID, d.TabID, d.TargetID, d.SessionID = frameID, "t1", "F-TOP", topSession
	return d
}

func (f *fakeTask) Key() supervisor.Key { return f.Snapshot().Task }

func (f *fakeTask) Snapshot() *supervisor.Snapshot {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.snap
}

func (f *fakeTask) Changed() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.changed
}

func (f *fakeTask) Call(ctx context.Context, session, method string, params any, _ func(json.RawMessage, error)) (json.RawMessage, error) {
	data, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	f.sent = append(f.sent, sentCommand{session, method, string(data)})
	on := f.on[method]
	f.mu.Unlock()
	if on == nil {
		return json.RawMessage("{}"), nil
	}
	return on(ctx, f, data)
}

func (f *fakeTask) commands() []sentCommand {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.sent)
}

func (f *fakeTask) OpenPage(context.Context, bool) (string, error) {
	f.update(func(s *supervisor.Snapshot, _ *supervisor.Page) {
		s.Pages = append(s.Pages, &supervisor.Page{TabID: "t2", TargetID: "F-2", SessionID: "S-2", URL: "about:blank", LoaderID: "L0"})
	})
	return "t2", nil
}

func (f *fakeTask) ClosePage(context.Context, string) error { return nil }

func (f *fakeTask) SetCurrent(tabID string) {
	f.update(func(s *supervisor.Snapshot, _ *supervisor.Page) { s.Current = tabID })
}

func (f *fakeTask) Elements(ctx context.Context, tabID string, _ int) (*page.Elements, error) {
	if f.elements != nil {
		return f.elements(ctx)
	}
	s := f.Snapshot()
	if d, blocked := s.Blocked(tabID); blocked {
		return nil, blockedError(s, d, false)
	}
	return &page.Elements{Text: `e1 button "Checkout"`, Count: 1, Title: "Shop now"}, nil
}

func (f *fakeTask) Act(ctx context.Context, args json.RawMessage) *page.Reply {
	return f.act(ctx, args)
}

func (f *fakeTask) Console() []supervisor.ConsoleEntry { return f.console }

func (f *fakeTask) AnswerDialog(_ context.Context, id, action string, text *string) (dialog.Closed, error) {
	return f.answer(id, action, text)
}

// fakeDirectory knows one caller's tasks.
type fakeDirectory struct {
	tasks   map[string]*fakeTask
	started []string
	joined  []Connection
}

func (d *fakeDirectory) Tasks(string) []string {
	ids := make([]string, 0, len(d.tasks))
	for id := range d.tasks {
		ids = append(ids, id)
	}
	return ids
}

func (d *fakeDirectory) Task(_ context.Context, _, id string) (Task, error) {
	if t := d.tasks[id]; t != nil {
		return t, nil
	}
	return nil, fault.New(fault.NoSupervisor, "The task %q has no browser.", id)
}

func (d *fakeDirectory) Start(ctx context.Context, caller, id string, _ *Toolset) (Task, error) {
	d.started = append(d.started, id)
	if d.tasks[id] == nil {
		t := newFakeTask()
		t.snap.Task.TaskID = id
		d.tasks[id] = t
	}
	return d.Task(ctx, caller, id)
}

func (d *fakeDirectory) Connect(ctx context.Context, caller, id string, set *Toolset, to Connection) (Task, error) {
	d.joined = append(d.joined, to)
	return d.Start(ctx, caller, id, set)
}

func (d *fakeDirectory) Disconnect(_ context.Context, _, id string) error {
	delete(d.tasks, id)
	return nil
}

// fakeRouter places OOPIFs on their sessions and refuses other frames, or puts
// them into their context when evaluate is set.
type fakeRouter struct {
	evaluate bool
	err      error
	route    *capture.Route // whatever is asked
}

func (r fakeRouter) Route(_ context.Context, req capture.RouteRequest) (capture.Route, error) {
	switch {
	case r.err != nil:
		return capture.Route{}, r.err
	case r.route != nil:
		return *r.route, nil
	case req.OwnSession != "":
		return capture.Route{SessionID: req.OwnSession}, nil
	case r.evaluate:
		return capture.Route{SessionID: req.ProcessSession, UniqueContextID: req.UniqueContextID}, nil
	}
	return capture.Route{}, fault.New(fault.SameProcessFrame, "Use contentDocument in the top page.")
}

// bench is a Kit over fakes with one task "default".
func bench() (*Kit, *fakeTask, *fakeDirectory) {
	task := newFakeTask()
	dir := &fakeDirectory{tasks: map[string]*fakeTask{"default": task}}
	return &Kit{
		Directory: dir,
		Router:    fakeRouter{},
		FrameTree: func() frame.Limits { return frame.Limits{} },
	}, task, dir
}

func callOf(args string) *Call {
	return &Call{Caller: "local", Toolset: &Toolset{Name: "browser"}, Args: json.RawMessage(args)}
}
