package plugin

import (
	"context"
	"sync"

	"google.golang.org/grpc"

	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
	"cdphost/sdk/proto/wire"
)

// maxHandles bounds what one plugin can hold: more is a leak.
const maxHandles = 1024

// hostServer serves the service Host to one generation of a plugin.
type hostServer struct {
	pluginv1.UnimplementedHostServer
	host   CaptureHost
	holder Holder
	id     uint32
	slots  chan struct{} // one for each call in flight
	done   chan struct{} // closed when everything has ended

	ctx    context.Context
	cancel context.CancelFunc

	mu      sync.Mutex
	server  *grpc.Server
	closed  bool
	handles map[uint64]*held
	last    uint64
	streams map[*callStream]struct{}
	watches sync.WaitGroup
	// releases run side by side, so that one that waits for its browser does not
	// hold up the others.
	releases sync.WaitGroup
}

// held is a handle that the plugin holds.
type held struct {
	CaptureHandle
	released chan struct{}
}

// serveHost starts to serve the host to g.
func serveHost(g *generation) *hostServer {
	s := newHostServer(g.opts, g.spec, g.number)
	s.id = g.link.broker.NextId()
	go func() {
		defer close(s.done)
		g.link.broker.AcceptAndServe(s.id, func(opts []grpc.ServerOption) *grpc.Server {
			opts = append(opts, wire.ServerOptions(g.logger)...)
			return s.register(grpc.NewServer(append(opts, grpc.WaitForHandlers(true))...))
		})
		s.releaseAll()
	}()
	return s
}

func newHostServer(opts *Options, spec *Spec, generation uint64) *hostServer {
	s := &hostServer{
		host: opts.Host, holder: Holder{Name: spec.Name, Generation: generation, Priority: spec.Priority, Grants: spec.Grants},
		slots: make(chan struct{}, opts.MaxCalls), done: make(chan struct{}),
		handles: map[uint64]*held{}, streams: map[*callStream]struct{}{},
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
}

// register puts the service on server, which is stopped at once when the host
// was closed before.
func (s *hostServer) register(server *grpc.Server) *grpc.Server {
	pluginv1.RegisterHostServer(server, s)
	s.mu.Lock()
	s.server = server
	closed := s.closed
	s.mu.Unlock()
	if closed {
		server.Stop()
	}
	return server
}

// close ends all streams; done is closed when everything that the plugin held
// has been released.
func (s *hostServer) close() {
	s.cancel()
	s.mu.Lock()
	s.closed = true
	server := s.server
	s.mu.Unlock()
	if server != nil {
		server.Stop()
	}
}

func (s *hostServer) releaseAll() {
	s.cancel()
	s.mu.Lock()
	s.closed = true
	handles := s.handles
	s.handles = map[uint64]*held{}
	s.mu.Unlock()
	for _, h := range handles {
		close(h.released)
		s.releases.Go(h.Release)
	}
	s.watches.Wait()
	s.releases.Wait()
}

// Capture implements pluginv1.HostServer.
func (s *hostServer) Capture(ctx context.Context, req *pluginv1.CaptureRequest) (*pluginv1.CaptureResponse, error) {
	h, err := s.host.Capture(ctx, s.holder, keyFrom(req.GetTask()))
	if err != nil {
		return nil, crossing(err)
	}
	id, err := s.hold(h)
	if err != nil {
		h.Release()
		return nil, err
	}
	return &pluginv1.CaptureResponse{Handle: id, PageSession: h.PageSession(), TabId: h.TabID(), Epoch: h.Epoch()}, nil
}

// hold keeps a handle and tells the plugin when it becomes invalid.
func (s *hostServer) hold(h CaptureHandle) (uint64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return 0, fault.New(fault.CaptureInvalid, "the plugin is being stopped")
	case len(s.handles) >= maxHandles:
		return 0, fault.New(fault.NotGranted, "this plugin holds %d handles; release some first", maxHandles)
	}
	s.last++
	id := s.last
	kept := &held{CaptureHandle: h, released: make(chan struct{})}
	s.handles[id] = kept
	s.watches.Go(func() {
		select {
		case <-h.Invalid():
			s.tell(invalid(id))
		case <-kept.released:
		}
	})
	return id, nil
}

// invalidLocked lists the handles that are held and no longer valid.
func (s *hostServer) invalidLocked() (ids []uint64) {
	for id, h := range s.handles {
		select {
		case <-h.Invalid():
			ids = append(ids, id)
		default:
		}
	}
	return ids
}

func invalid(handle uint64) *pluginv1.CallResponse {
	return &pluginv1.CallResponse{Message: &pluginv1.CallResponse_Invalid{Invalid: &pluginv1.HandleInvalid{Handle: handle}}}
}

// tell sends a message on every call stream.
func (s *hostServer) tell(m *pluginv1.CallResponse) {
	s.mu.Lock()
	streams := make([]*callStream, 0, len(s.streams))
	for c := range s.streams {
		streams = append(streams, c)
	}
	s.mu.Unlock()
	for _, c := range streams {
		c.send(m)
	}
}

func (s *hostServer) handle(id uint64) (*held, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h, ok := s.handles[id]
	if !ok {
		return nil, fault.New(fault.CaptureInvalid, "the handle was released")
	}
	return h, nil
}

// Release implements pluginv1.HostServer.
func (s *hostServer) Release(_ context.Context, req *pluginv1.ReleaseRequest) (*pluginv1.ReleaseResponse, error) {
	s.mu.Lock()
	h, ok := s.handles[req.GetHandle()]
	delete(s.handles, req.GetHandle())
	s.mu.Unlock()
	if ok {
		close(h.released)
		h.Release()
	}
	return &pluginv1.ReleaseResponse{}, nil
}

func keyFrom(t *pluginv1.Task) supervisor.Key {
	return supervisor.Key{Caller: t.GetCaller(), TaskID: t.GetId()}
}
