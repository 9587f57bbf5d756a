package cdptest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
)

// Options says how a mock browser differs from a plain one.
type Options struct {
	// Empty leaves out the page and the browser_ui target that a headless Chrome has at its start.
	Empty bool
	// NoVersion leaves out /json/version, which Chrome does not serve when remote debugging was
	// switched on by its user.
	NoVersion bool
	// OneConnection answers 429 to every socket but the first that is open.
	OneConnection bool
}

// Server is a mock browser: a CDP endpoint on loopback with a model of targets, frames, dialogs and
// sessions behind it that sends what Chrome sends, in the order in which Chrome sends it. Pages are
// empty unless [Server.Serve] gave their URL a document. All methods may be called at the same time.
//
// A command goes to the script first ([Server.FailNth], [Server.Hang], [Server.Handle]), then to the
// model, which refuses a method that it does not know as Chrome refuses an unknown one.
type Server struct {
	opts   Options
	http   *http.Server
	served chan error
	addr   string
	id     string // last part of the websocket path
	conns  sync.WaitGroup

	gate   gate
	script script
	record record

	mu       sync.Mutex // guards everything below and all of the model
	ids      int        // counter behind the ids of the model
	sockets  int        // sockets ever opened
	clients  []*conn
	contexts []*browserContext
	targets  []*target
	docs     map[string]Document
	closed   bool
	died     string // why the browser crashed; empty while it runs
}

// New starts a mock browser for one test and closes it in tb's Cleanup.
func New(tb TB, opts Options) *Server {
	tb.Helper()
	s, err := Listen(opts)
	if err != nil {
		tb.Fatalf("cdptest: %v", err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Errorf("cdptest: close mock: %v", err)
		}
	})
	return s
}

// Listen starts a mock browser. The caller must Close it.
func Listen(opts Options) (*Server, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &Server{
		opts:   opts,
		served: make(chan error, 1),
		addr:   ln.Addr().String(),
		id:     "b0b0b0b0-0000-4000-8000-000000000001",
		docs:   map[string]Document{},
	}
	s.record.init()
	s.populate()
	s.http = &http.Server{Handler: s}
	go func() { s.served <- s.http.Serve(ln) }()
	return s, nil
}

// URL returns ws://127.0.0.1:PORT/devtools/browser/ID.
func (s *Server) URL() string { return "ws://" + s.addr + "/devtools/browser/" + s.id }

// HTTPURL returns http://127.0.0.1:PORT.
func (s *Server) HTTPURL() string { return "http://" + s.addr }

// Close cuts all sockets and waits until nothing of the server runs any more.
func (s *Server) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.Drop()
	err := s.http.Close()
	if serveErr := <-s.served; !errors.Is(serveErr, http.ErrServerClosed) {
		err = errors.Join(err, serveErr)
	}
	s.conns.Wait()
	return err
}

// Drop cuts every socket without a closing handshake and waits until the model has forgotten their
// sessions. The pages stay; new sockets are welcome.
func (s *Server) Drop() {
	s.mu.Lock()
	clients := append([]*conn(nil), s.clients...)
	s.mu.Unlock()
	for _, c := range clients {
		c.cut()
	}
	for _, c := range clients {
		<-c.gone
	}
}

// Connections returns how many sockets are open.
func (s *Server) Connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.clients)
}

// Flush waits until everything that the server had to send at the call has been handed to the
// operating system.
func (s *Server) Flush(ctx context.Context) error {
	s.mu.Lock()
	clients := append([]*conn(nil), s.clients...)
	s.mu.Unlock()
	for _, c := range clients {
		if err := c.out.flush(ctx); err != nil {
			return err
		}
	}
	return nil
}

// newID returns an id in the shape of Chrome's; kind is a digit that tells a reader what it names.
func (s *Server) newID(kind byte) string {
	s.ids++
	return fmt.Sprintf("%c%031X", kind, s.ids)
}
