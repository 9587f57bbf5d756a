package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"google.golang.org/grpc"

	"cdphost/host/cdp"
	"cdphost/sdk/fault"
	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
	"cdphost/sdk/proto/wire"
)

// replyPiece is the size in bytes of the pieces of a big result, so that small
// replies are not stuck behind it.
const replyPiece = 512 << 10

// callStream is one stream of calls: a reader, a writer, and a goroutine for each
// call in flight.
type callStream struct {
	host   *hostServer
	ctx    context.Context
	out    chan *pluginv1.CallResponse
	calls  sync.WaitGroup
	mu     sync.Mutex
	active map[uint64]context.CancelFunc
	asks   map[uint64]chan bool
	ask    uint64
}

// Call implements pluginv1.HostServer.
func (s *hostServer) Call(stream grpc.BidiStreamingServer[pluginv1.CallRequest, pluginv1.CallResponse]) error {
	ctx, cancel := context.WithCancel(stream.Context())
	defer cancel()
	defer context.AfterFunc(s.ctx, cancel)()
	c := &callStream{
		host: s, ctx: ctx, out: make(chan *pluginv1.CallResponse, 64),
		active: map[uint64]context.CancelFunc{}, asks: map[uint64]chan bool{},
	}
	s.mu.Lock()
	s.streams[c] = struct{}{}
	ended := s.invalidLocked() // before there was a stream to tell it on
	s.mu.Unlock()

	written := make(chan struct{})
	go func() {
		defer close(written)
		c.write(stream)
		cancel()
	}()
	for _, id := range ended {
		c.send(invalid(id))
	}
	err := c.read(stream)
	s.mu.Lock()
	delete(s.streams, c)
	s.mu.Unlock()
	cancel()
	c.calls.Wait()
	<-written
	if errors.Is(err, io.EOF) || ctx.Err() != nil {
		return nil
	}
	return err
}

// write sends what is queued until the stream ends.
func (c *callStream) write(stream grpc.BidiStreamingServer[pluginv1.CallRequest, pluginv1.CallResponse]) {
	for {
		select {
		case m := <-c.out:
			if stream.Send(m) != nil {
				return
			}
		case <-c.ctx.Done():
			return
		}
	}
}

// send queues a message; it waits while the plugin does not read, until the
// stream ends.
func (c *callStream) send(m *pluginv1.CallResponse) {
	select {
	case c.out <- m:
	case <-c.ctx.Done():
	}
}

func (c *callStream) read(stream grpc.BidiStreamingServer[pluginv1.CallRequest, pluginv1.CallResponse]) error {
	for {
		m, err := stream.Recv()
		if err != nil {
			return err
		}
		switch m := m.GetMessage().(type) {
		case *pluginv1.CallRequest_Start:
			c.start(m.Start)
		case *pluginv1.CallRequest_Verdict:
			c.verdict(m.Verdict)
		case *pluginv1.CallRequest_Cancel:
			c.mu.Lock()
			cancel := c.active[m.Cancel.GetId()]
			c.mu.Unlock()
			if cancel != nil {
				cancel()
			}
		}
	}
}

// start runs a call on a goroutine of its own, or refuses it at once.
func (c *callStream) start(m *pluginv1.CallStart) {
	ctx, cancel := context.WithCancel(c.ctx)
	if t := m.GetTimeout(); t != nil {
		cancel()
		ctx, cancel = context.WithTimeout(c.ctx, t.AsDuration())
	}
	c.mu.Lock()
	_, twice := c.active[m.GetId()]
	if !twice {
		c.active[m.GetId()] = cancel
	}
	c.mu.Unlock()
	if twice {
		cancel()
		return // an answer would be taken for that of the first
	}
	end := func() {
		cancel()
		c.mu.Lock()
		delete(c.active, m.GetId())
		c.mu.Unlock()
	}
	select {
	case c.host.slots <- struct{}{}:
	default:
		end()
		c.calls.Go(func() {
			c.reply(m.GetId(), nil, fault.New(fault.NotSent,
				"this plugin has %d calls in flight; wait for some to end", cap(c.host.slots)))
		})
		return
	}
	c.calls.Go(func() {
		result, err := c.run(ctx, m)
		end()
		<-c.host.slots
		c.reply(m.GetId(), result, err)
	})
}

func (c *callStream) run(ctx context.Context, m *pluginv1.CallStart) (json.RawMessage, error) {
	h, err := c.host.handle(m.GetHandle())
	if err != nil {
		return nil, err
	}
	compare, err := compareFacts(m.GetCompare())
	if err != nil {
		return nil, fault.New(fault.InvalidArgument, "%v", err)
	}
	call := CaptureCall{Command: commandFrom(m.GetCommand()), Compare: compare}
	if m.GetBeforeSend() {
		call.BeforeSend = func(ctx context.Context, cmd cdp.Command, f Facts) error {
			return c.askPlugin(ctx, m.GetId(), cmd, f)
		}
	}
	result, err := h.Call(ctx, call)
	return result, crossing(err)
}

// reply sends a result in pieces.
func (c *callStream) reply(id uint64, result json.RawMessage, err error) {
	for err == nil && len(result) > replyPiece {
		c.send(replyMessage(&pluginv1.CallReply{Id: id, Result: result[:replyPiece], More: true}))
		result = result[replyPiece:]
	}
	c.send(replyMessage(&pluginv1.CallReply{Id: id, Result: result, Fault: wire.ToFault(err)}))
}

func replyMessage(r *pluginv1.CallReply) *pluginv1.CallResponse {
	return &pluginv1.CallResponse{Message: &pluginv1.CallResponse_Reply{Reply: r}}
}

// askPlugin asks the caller's before_send.
func (c *callStream) askPlugin(ctx context.Context, id uint64, cmd cdp.Command, f Facts) error {
	answer := make(chan bool, 1)
	c.mu.Lock()
	c.ask++
	ask := c.ask
	c.asks[ask] = answer
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		delete(c.asks, ask)
		c.mu.Unlock()
	}()
	m := &pluginv1.CallResponse{Message: &pluginv1.CallResponse_Ask{Ask: &pluginv1.CallAsk{
		Id: id, Ask: ask, Command: commandMessage(cmd), Facts: factsMessage(f),
	}}}
	select {
	case c.out <- m:
	case <-ctx.Done():
		return fault.Wrap(ctx.Err(), fault.Denied, "before_send was not asked in time, so nothing was sent")
	case <-c.ctx.Done():
		return fault.Wrap(c.ctx.Err(), fault.Denied, "the plugin has gone")
	}
	select {
	case ok := <-answer:
		if !ok {
			return fault.New(fault.Denied, "before_send refused %s", cmd.Method)
		}
		return nil
	case <-ctx.Done():
		return fault.Wrap(ctx.Err(), fault.Denied, "before_send did not answer in time, so nothing was sent")
	}
}

func (c *callStream) verdict(v *pluginv1.CallVerdict) {
	c.mu.Lock()
	answer := c.asks[v.GetAsk()]
	delete(c.asks, v.GetAsk())
	c.mu.Unlock()
	if answer != nil {
		answer <- v.GetAllow()
	}
}
