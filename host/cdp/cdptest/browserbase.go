package cdptest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// The states of a rented session, in the provider's words.
const (
	SessionRunning   = "RUNNING"
	SessionTimedOut  = "TIMED_OUT"
	SessionCompleted = "COMPLETED"
)

// BrowserbaseOptions are the habits of the stand-in.
type BrowserbaseOptions struct {
	// Key is the API key that is asked for.
	Key string
	// Life is how long a session lasts that asks for no timeout (an hour).
	Life time.Duration
	// AutoDismiss is how long a native dialog stays open (10 ms).
	AutoDismiss time.Duration
	// Flags are further flags of the browsers.
	Flags []string
}

// Browserbase stands in for the provider of that name: its REST API (sessions
// create, get, release), and a CDP proxy with its habits in front of a real
// browser for each session. The proxy closes native dialogs by itself, tells
// detaches twice, and serves a connect URL as long as its session runs. All
// methods may be called at the same time.
type Browserbase struct {
	opts   BrowserbaseOptions
	addr   string
	http   *http.Server
	served chan error
	work   sync.WaitGroup // connections

	mu       sync.Mutex
	sessions []*rented
}

// rented is one session.
type rented struct {
	id, signingKey string
	keepAlive      bool
	expires        time.Time
	browser        *Browser
	proxy          *Proxy
	timer          *time.Timer
	ending         sync.Once
	ended          chan struct{}

	mu     sync.Mutex
	status string
}

// NewBrowserbase starts a stand-in for one test and closes it in tb's Cleanup.
func NewBrowserbase(tb TB, o BrowserbaseOptions) *Browserbase {
	tb.Helper()
	b, err := ListenBrowserbase(o)
	if err != nil {
		tb.Fatalf("cdptest: %v", err)
	}
	tb.Cleanup(func() {
		if err := b.Close(); err != nil {
			tb.Errorf("cdptest: close the stand-in for Browserbase: %v", err)
		}
	})
	return b
}

// ListenBrowserbase starts a stand-in. The caller must Close it.
func ListenBrowserbase(o BrowserbaseOptions) (*Browserbase, error) {
	if o.Life <= 0 {
		o.Life = time.Hour
	}
	if o.AutoDismiss <= 0 {
		o.AutoDismiss = 10 * time.Millisecond
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	b := &Browserbase{opts: o, addr: ln.Addr().String(), served: make(chan error, 1)}
	b.http = &http.Server{Handler: b.routes()}
	go func() { b.served <- b.http.Serve(ln) }()
	return b, nil
}

// URL is the base URL of the REST API.
func (b *Browserbase) URL() string { return "http://" + b.addr }

// Close ends all sessions and waits until nothing of the stand-in runs any more.
func (b *Browserbase) Close() error {
	err := b.http.Close()
	if serveErr := <-b.served; !errors.Is(serveErr, http.ErrServerClosed) {
		err = errors.Join(err, serveErr)
	}
	for _, s := range b.all() {
		s.end(SessionCompleted)
	}
	b.work.Wait()
	return err
}

// Status returns the states of all sessions, by id.
func (b *Browserbase) Status() map[string]string {
	out := map[string]string{}
	for _, s := range b.all() {
		out[s.id] = s.state()
	}
	return out
}

// Expire ends all sessions as their timeout does.
func (b *Browserbase) Expire() {
	for _, s := range b.all() {
		s.end(SessionTimedOut)
	}
}

// Drop cuts the connections of all sessions. Those that do not keep alive end.
func (b *Browserbase) Drop() {
	for _, s := range b.all() {
		s.proxy.Drop()
	}
}

func (b *Browserbase) all() []*rented {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]*rented(nil), b.sessions...)
}

func (b *Browserbase) find(id string) *rented {
	for _, s := range b.all() {
		if s.id == id {
			return s
		}
	}
	return nil
}

// rent starts a session: a browser, and the proxy in front of it.
func (b *Browserbase) rent(ctx context.Context, life time.Duration, keepAlive bool) (*rented, error) {
	browser, err := StartChrome(ctx, b.opts.Flags...)
	if err != nil {
		return nil, err
	}
	proxy, err := ListenProxy(ctx, ProxyOptions{Target: browser.WSURL, AutoDismiss: b.opts.AutoDismiss, RepeatDetached: true})
	if err != nil {
		return nil, errors.Join(err, browser.Close())
	}
	s := &rented{
		id: fmt.Sprintf("session-%s", rand.Text()), signingKey: rand.Text(), keepAlive: keepAlive,
		expires: time.Now().Add(life), browser: browser, proxy: proxy, status: SessionRunning, ended: make(chan struct{}),
	}
	s.timer = time.AfterFunc(life, func() { s.end(SessionTimedOut) })
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sessions = append(b.sessions, s)
	return s, nil
}

// end stops everything of a session and waits for it.
func (s *rented) end(status string) {
	s.ending.Do(func() {
		s.mu.Lock()
		s.status = status
		s.mu.Unlock()
		s.timer.Stop()
		_ = s.proxy.Close()   // what it can't close is gone
		_ = s.browser.Close() // likewise
		close(s.ended)
	})
	<-s.ended
}

func (s *rented) state() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.status
}
