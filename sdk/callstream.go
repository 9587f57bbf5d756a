package sdk

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/durationpb"

	"cdphost/sdk/fault"
	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
	"cdphost/sdk/proto/wire"
)

// cancelGrace is how long a cancelled call waits to hear from the host whether
// its command was sent.
const cancelGrace = time.Second

// call is one call in flight.
type call struct {
	command    Command
	beforeSend func(Command, Facts) error
	compare    []string

	result  json.RawMessage
	refusal error         // what beforeSend returned
	err     error         // valid after done
	done    chan struct{} // closed when result or err is there
}

// callStream carries all calls of a plugin, told apart by id.
type callStream struct {
	ctx    context.Context
	cancel context.CancelFunc
	out    chan *pluginv1.CallRequest
	ended  chan struct{}
	asking validators
	asks   sync.WaitGroup

	mu      sync.Mutex
	next    uint64
	pending map[uint64]*call
	handles map[uint64]*Handle
	gone    map[uint64]bool // invalid before they were adopted
	over    bool
}

type clientStream = grpc.BidiStreamingClient[pluginv1.CallRequest, pluginv1.CallResponse]

func newCallStream(client pluginv1.HostClient) *callStream {
	c := &callStream{
		out: make(chan *pluginv1.CallRequest), ended: make(chan struct{}),
		pending: map[uint64]*call{}, handles: map[uint64]*Handle{}, gone: map[uint64]bool{},
	}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	go c.serve(client)
	return c
}

// serve runs the stream until it breaks; then nothing of it works any more.
func (c *callStream) serve(client pluginv1.HostClient) {
	defer close(c.ended)
	defer c.end()
	stream, err := client.Call(c.ctx)
	if err != nil {
		return
	}
	written := make(chan struct{})
	go func() {
		defer close(written)
		c.write(stream)
	}()
	for {
		m, err := stream.Recv()
		if err != nil {
			break
		}
		c.receive(m)
	}
	c.cancel()
	<-written
	c.asks.Wait()
}

func (c *callStream) write(stream clientStream) {
	for {
		select {
		case m := <-c.out:
			if stream.Send(m) != nil {
				return // Recv tells why
			}
		case <-c.ctx.Done():
			return
		}
	}
}

// end fails all calls and invalidates all handles.
func (c *callStream) end() {
	c.cancel()
	c.mu.Lock()
	pending, handles := c.pending, c.handles
	c.pending, c.handles, c.over = map[uint64]*call{}, map[uint64]*Handle{}, true
	c.mu.Unlock()
	for _, h := range handles {
		h.invalidate()
	}
	for _, p := range pending {
		p.err = fault.New(fault.CaptureInvalid, "the host has ended the connection")
		close(p.done)
	}
}

func (c *callStream) close() {
	c.cancel()
	<-c.ended
}

func (c *callStream) adopt(h *Handle) {
	c.mu.Lock()
	invalid := c.gone[h.id] || c.over
	delete(c.gone, h.id)
	if !invalid {
		c.handles[h.id] = h
	}
	c.mu.Unlock()
	if invalid {
		h.invalidate()
	}
}

func (c *callStream) forget(h *Handle) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.handles, h.id)
}

func (c *callStream) receive(m *pluginv1.CallResponse) {
	switch m := m.GetMessage().(type) {
	case *pluginv1.CallResponse_Reply:
		c.reply(m.Reply)
	case *pluginv1.CallResponse_Ask:
		c.asks.Go(func() { c.validate(m.Ask) })
	case *pluginv1.CallResponse_Invalid:
		id := m.Invalid.GetHandle()
		c.mu.Lock()
		h := c.handles[id]
		delete(c.handles, id)
		if h == nil {
			c.gone[id] = true
		}
		c.mu.Unlock()
		if h != nil {
			h.invalidate()
		}
	}
}

func (c *callStream) reply(r *pluginv1.CallReply) {
	c.mu.Lock()
	p := c.pending[r.GetId()]
	if p != nil && !r.GetMore() {
		delete(c.pending, r.GetId())
	}
	c.mu.Unlock()
	if p == nil {
		return
	}
	if p.result == nil {
		p.result = r.GetResult()
	} else {
		p.result = append(p.result, r.GetResult()...)
	}
	if r.GetMore() {
		return
	}
	if f := r.GetFault(); f != nil {
		p.err = wire.FromFault(f)
	}
	close(p.done)
}

// validate runs a call's before_send.
func (c *callStream) validate(ask *pluginv1.CallAsk) {
	c.mu.Lock()
	p := c.pending[ask.GetId()]
	c.mu.Unlock()
	if p == nil || p.beforeSend == nil {
		return // the caller gave up; the host's deadline refuses
	}
	err := c.asking.run(func() error {
		return p.beforeSend(commandFrom(ask.GetCommand()), factsFrom(ask.GetFacts()))
	})
	c.mu.Lock()
	p.refusal = err
	c.mu.Unlock()
	_ = c.send(c.ctx, &pluginv1.CallRequest{Message: &pluginv1.CallRequest_Verdict{
		Verdict: &pluginv1.CallVerdict{Id: ask.GetId(), Ask: ask.GetAsk(), Allow: err == nil},
	}})
}

func (c *callStream) validating() bool { return c.asking.inside() }

// send queues a message for the writer.
func (c *callStream) send(ctx context.Context, m *pluginv1.CallRequest) error {
	select {
	case c.out <- m:
		return nil
	case <-c.ctx.Done():
		return fault.New(fault.CaptureInvalid, "the host has ended the connection")
	case <-ctx.Done():
		return fault.Wrap(ctx.Err(), fault.NotSent, "the call ended before its command was sent")
	}
}

// run makes one call.
func (c *callStream) run(ctx context.Context, handle uint64, p *call) (json.RawMessage, error) {
	start := &pluginv1.CallStart{
		Handle: handle, Command: p.command.wire(), BeforeSend: p.beforeSend != nil, Compare: p.compare,
	}
	if deadline, ok := ctx.Deadline(); ok {
		start.Timeout = durationpb.New(time.Until(deadline))
	}
	c.mu.Lock()
	if c.over {
		c.mu.Unlock()
		return nil, fault.New(fault.CaptureInvalid, "the host has ended the connection")
	}
	c.next++
	start.Id = c.next
	c.pending[start.Id] = p
	c.mu.Unlock()

	if err := c.send(ctx, &pluginv1.CallRequest{Message: &pluginv1.CallRequest_Start{Start: start}}); err != nil {
		c.drop(start.Id)
		return nil, err
	}
	select {
	case <-p.done:
	case <-ctx.Done():
		if !c.giveUp(start.Id, p) {
			return nil, fault.Wrap(ctx.Err(), fault.SentNoReply, "%s got no reply in time; whether it was sent is not known", p.command.Method)
		}
	}
	c.mu.Lock()
	refusal := p.refusal
	c.mu.Unlock()
	if p.err != nil && refusal != nil && fault.CodeOf(p.err) == fault.Denied {
		return nil, refusal
	}
	if p.err != nil {
		return nil, p.err
	}
	return p.result, nil
}

// giveUp cancels a call and waits a moment for how it ended.
func (c *callStream) giveUp(id uint64, p *call) bool {
	ctx, cancel := context.WithTimeout(c.ctx, cancelGrace)
	defer cancel()
	_ = c.send(ctx, &pluginv1.CallRequest{Message: &pluginv1.CallRequest_Cancel{Cancel: &pluginv1.CallCancel{Id: id}}})
	select {
	case <-p.done:
		return true
	case <-ctx.Done():
	}
	c.drop(id)
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

func (c *callStream) drop(id uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.pending, id)
}
