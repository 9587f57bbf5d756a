package fakehost

import (
	"context"
	"encoding/json"
	"slices"
	"sync"

	"google.golang.org/grpc"

	"cdphost/sdk"
	"cdphost/sdk/fault"
	"cdphost/sdk/internal/host2plugin"
	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
	"cdphost/sdk/proto/wire"
)

// Sent is a command that a plugin sent.
type Sent struct {
	Task sdk.Task
	sdk.Command
}

// Host is the service Host, scripted. Its methods may be called at any time.
type Host struct {
	pluginv1.UnimplementedHostServer

	mu      sync.Mutex
	tasks   map[sdk.Task]*fakeTask
	handles map[uint64]*fakeTask
	ended   []uint64 // handles that Invalidate took
	last    uint64
	replies map[string]func(sdk.Command) (any, error)
	sent    []Sent
	streams map[chan *pluginv1.CallResponse]struct{}
	subs    map[*subscription]struct{}
	hung    chan sdk.Command // not nil while commands get no answer
}

type fakeTask struct {
	task  sdk.Task
	facts sdk.Facts
}

type subscription struct {
	task    sdk.Task
	methods []string
	c       chan *pluginv1.Event
}

// New makes a host without tasks.
func New() *Host {
	return &Host{
		tasks: map[sdk.Task]*fakeTask{}, handles: map[uint64]*fakeTask{},
		replies: map[string]func(sdk.Command) (any, error){}, streams: map[chan *pluginv1.CallResponse]struct{}{},
		subs: map[*subscription]struct{}{},
	}
}

// AddTask makes a task that the plugin can capture. facts describe its page;
// facts.SessionID is the page session.
func (h *Host) AddTask(task sdk.Task, facts sdk.Facts) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.tasks[task] = &fakeTask{task: task, facts: facts}
}

// Handle scripts the replies to a CDP method. The value is marshalled as the
// result; a *sdk.CDPError is what the browser answers. A method without a script
// is answered as Chrome answers one that it does not know.
func (h *Host) Handle(method string, reply func(sdk.Command) (any, error)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.replies[method] = reply
}

// Hang leaves commands without an answer, as a page that a dialog holds does, until
// end is called. came gets each of them.
func (h *Host) Hang() (came <-chan sdk.Command, end func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	hung := make(chan sdk.Command, 1024)
	h.hung = hung
	return hung, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.hung = nil
	}
}

// Sent returns the commands that were sent so far.
func (h *Host) Sent() []Sent {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]Sent(nil), h.sent...)
}

// Open returns how many handles the plugin holds.
func (h *Host) Open() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.handles)
}

// Invalidate ends a task's connection: handles on it are invalid from now on.
func (h *Host) Invalidate(task sdk.Task) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for id, t := range h.handles {
		if t.task != task {
			continue
		}
		delete(h.handles, id)
		h.ended = append(h.ended, id)
		for out := range h.streams {
			out <- invalid(id)
		}
	}
}

func invalid(handle uint64) *pluginv1.CallResponse {
	return &pluginv1.CallResponse{Message: &pluginv1.CallResponse_Invalid{Invalid: &pluginv1.HandleInvalid{Handle: handle}}}
}

// Emit gives an event to the subscriptions that want it.
func (h *Host) Emit(e sdk.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.subs {
		if s.task == e.Task && matches(s.methods, e.Method) {
			s.c <- host2plugin.Event(e)
		}
	}
}

// Capture implements pluginv1.HostServer.
func (h *Host) Capture(_ context.Context, req *pluginv1.CaptureRequest) (*pluginv1.CaptureResponse, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	t := h.tasks[host2plugin.TaskFrom(req.GetTask())]
	if t == nil {
		return nil, fault.New(fault.CaptureInvalid, "the task %s has no attached browser", host2plugin.TaskFrom(req.GetTask()))
	}
	h.last++
	h.handles[h.last] = t
	return &pluginv1.CaptureResponse{Handle: h.last, PageSession: t.facts.SessionID, TabId: t.facts.TabID, Epoch: t.facts.Epoch}, nil
}

// Release implements pluginv1.HostServer.
func (h *Host) Release(_ context.Context, req *pluginv1.ReleaseRequest) (*pluginv1.ReleaseResponse, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.handles, req.GetHandle())
	return &pluginv1.ReleaseResponse{}, nil
}

// Call implements pluginv1.HostServer.
func (h *Host) Call(stream grpc.BidiStreamingServer[pluginv1.CallRequest, pluginv1.CallResponse]) error {
	out := make(chan *pluginv1.CallResponse, 1024)
	h.mu.Lock()
	h.streams[out] = struct{}{}
	ended := slices.Clone(h.ended) // before there was this stream to tell it on
	h.mu.Unlock()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for m := range out {
			_ = stream.Send(m)
		}
	}()
	for _, id := range ended {
		out <- invalid(id)
	}
	waiting := map[uint64]*pluginv1.CallStart{}
	for m, err := stream.Recv(); err == nil; m, err = stream.Recv() {
		if s := m.GetStart(); s != nil {
			if !s.GetBeforeSend() {
				h.answer(s, out)
				continue
			}
			waiting[s.GetId()] = s
			out <- &pluginv1.CallResponse{Message: &pluginv1.CallResponse_Ask{Ask: &pluginv1.CallAsk{
				Id: s.GetId(), Ask: s.GetId(), Command: s.GetCommand(), Facts: host2plugin.Facts(h.factsOf(s.GetHandle())),
			}}}
		}
		if v := m.GetVerdict(); v != nil && waiting[v.GetId()] != nil {
			s := waiting[v.GetId()]
			delete(waiting, v.GetId())
			if v.GetAllow() {
				h.answer(s, out)
				continue
			}
			out <- reply(s.GetId(), nil, fault.New(fault.Denied, "before_send refused %s", s.GetCommand().GetMethod()))
		}
	}
	h.mu.Lock()
	delete(h.streams, out)
	h.mu.Unlock()
	close(out)
	<-done
	return nil
}

func (h *Host) factsOf(handle uint64) sdk.Facts {
	h.mu.Lock()
	defer h.mu.Unlock()
	if t := h.handles[handle]; t != nil {
		return t.facts
	}
	return sdk.Facts{}
}

// answer records a command and answers it.
func (h *Host) answer(s *pluginv1.CallStart, out chan<- *pluginv1.CallResponse) {
	c := sdk.Command{SessionID: s.GetCommand().GetSessionId(), Method: s.GetCommand().GetMethod(), Params: s.GetCommand().GetParams()}
	h.mu.Lock()
	t, script, hung := h.handles[s.GetHandle()], h.replies[c.Method], h.hung
	if t != nil {
		h.sent = append(h.sent, Sent{Task: t.task, Command: c})
	}
	h.mu.Unlock()
	switch {
	case t == nil:
		out <- reply(s.GetId(), nil, fault.New(fault.CaptureInvalid, "the connection has been replaced"))
		return
	case hung != nil:
		select {
		case hung <- c:
		default: // nobody counts as many
		}
		return
	case script == nil:
		out <- reply(s.GetId(), nil, &sdk.CDPError{Code: -32601, Message: "'" + c.Method + "' wasn't found"})
		return
	}
	v, err := script(c)
	var raw json.RawMessage
	if err == nil {
		raw, err = json.Marshal(v)
	}
	out <- reply(s.GetId(), raw, err)
}

func reply(id uint64, result json.RawMessage, err error) *pluginv1.CallResponse {
	return &pluginv1.CallResponse{Message: &pluginv1.CallResponse_Reply{
		Reply: &pluginv1.CallReply{Id: id, Result: result, Fault: wire.ToFault(err)},
	}}
}

// Subscribe implements pluginv1.HostServer.
func (h *Host) Subscribe(req *pluginv1.SubscribeRequest, stream grpc.ServerStreamingServer[pluginv1.SubscribeResponse]) error {
	s := &subscription{task: host2plugin.TaskFrom(req.GetTask()), methods: req.GetFilter().GetMethods(), c: make(chan *pluginv1.Event, 1024)}
	h.mu.Lock()
	known := h.tasks[s.task] != nil
	if known {
		h.subs[s] = struct{}{}
	}
	h.mu.Unlock()
	if !known {
		return wire.ToStatus(fault.New(fault.TaskNotFound, "there is no task %s", s.task))
	}
	defer func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.subs, s)
	}()
	if err := stream.SendHeader(nil); err != nil {
		return err
	}
	for {
		select {
		case <-stream.Context().Done():
			return nil
		case e := <-s.c:
			if err := stream.Send(&pluginv1.SubscribeResponse{Events: []*pluginv1.Event{e}}); err != nil {
				return err
			}
		}
	}
}
