package cdptest

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// ProxyOptions says what is behind a proxy and which of the provider's habits it has from the start.
type ProxyOptions struct {
	// Target is the websocket URL of the browser behind the proxy.
	Target string
	// Launch, if set, gives every connection a browser of its own instead; it is closed with the
	// connection.
	Launch func(ctx context.Context) (*Browser, error)
	// OneConnection answers 429 to every socket but the first that is open.
	OneConnection bool
	// AutoDismiss, if not 0, is how long after its opening a native dialog is dismissed, over a
	// connection of the proxy's own. It needs Target.
	AutoDismiss time.Duration
	// RepeatDetached tells every Target.detachedFromTarget twice.
	RepeatDetached bool
}

// Proxy stands between a client and a real browser, passes on every message, and can damage the
// connection. All methods may be called at the same time.
type Proxy struct {
	opts   ProxyOptions
	http   *http.Server
	served chan error
	addr   string
	run    context.Context
	stop   context.CancelFunc
	work   sync.WaitGroup

	mu        sync.Mutex
	open      int // sockets accepted or being accepted
	links     map[*link]bool
	delay     time.Duration
	dropAfter string
	closed    bool
}

// NewProxy starts a proxy for one test and closes it in tb's Cleanup.
func NewProxy(tb TB, opts ProxyOptions) *Proxy {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), callTime)
	defer cancel()
	p, err := ListenProxy(ctx, opts)
	if err != nil {
		tb.Fatalf("cdptest: %v", err)
	}
	tb.Cleanup(func() {
		if err := p.Close(); err != nil {
			tb.Errorf("cdptest: close proxy: %v", err)
		}
	})
	return p
}

// ListenProxy starts a proxy. The context bounds the start only. The caller must Close the proxy.
func ListenProxy(ctx context.Context, opts ProxyOptions) (*Proxy, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &Proxy{opts: opts, served: make(chan error, 1), addr: ln.Addr().String(), links: map[*link]bool{}}
	p.run, p.stop = context.WithCancel(context.Background())
	p.http = &http.Server{Handler: p}
	go func() { p.served <- p.http.Serve(ln) }()
	if opts.AutoDismiss > 0 {
		if err := p.startDismisser(ctx); err != nil {
			return nil, errors.Join(err, p.Close())
		}
	}
	return p, nil
}

// URL returns the proxy's websocket URL.
func (p *Proxy) URL() string {
	path := "/devtools/browser/proxied"
	if _, rest, ok := strings.Cut(p.opts.Target, "/devtools/"); ok {
		path = "/devtools/" + rest
	}
	return "ws://" + p.addr + path
}

// HTTPURL returns http://127.0.0.1:PORT, where /json/version names [Proxy.URL].
func (p *Proxy) HTTPURL() string { return "http://" + p.addr }

// Connections returns how many clients are connected.
func (p *Proxy) Connections() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.links)
}

// Drop cuts all connections, on both sides, without a closing handshake, and waits until they are
// gone.
func (p *Proxy) Drop() {
	for _, l := range p.current() {
		l.cut()
		<-l.gone
	}
}

// DropAfter cuts a connection right behind the next message of the browser's that is an event of this
// method, once.
func (p *Proxy) DropAfter(method string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dropAfter = method
}

// Delay makes every message in either direction arrive d later than it would, in order.
func (p *Proxy) Delay(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.delay = d
}

// HalfOpen swallows everything on the connections that are open now, and keeps them open. New ones
// are not affected.
func (p *Proxy) HalfOpen() {
	for _, l := range p.current() {
		l.halfOpen.Store(true)
	}
}

// CloseWith ends all connections with a close frame of this code, such as 1009, message too big.
func (p *Proxy) CloseWith(code websocket.StatusCode, reason string) {
	for _, l := range p.current() {
		_ = l.client.Close(code, reason) // the client may be gone already
		l.cut()
		<-l.gone
	}
}

// Close cuts all connections and waits until nothing of the proxy runs any more.
func (p *Proxy) Close() error {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.stop()
	err := p.http.Close()
	if serveErr := <-p.served; !errors.Is(serveErr, http.ErrServerClosed) {
		err = errors.Join(err, serveErr)
	}
	p.work.Wait()
	return err
}

func (p *Proxy) current() []*link {
	p.mu.Lock()
	defer p.mu.Unlock()
	links := make([]*link, 0, len(p.links))
	for l := range p.links {
		links = append(links, l)
	}
	return links
}

// dropsAfter tells whether to cut behind a message of the browser's, and forgets the order if so.
func (p *Proxy) dropsAfter(msg []byte) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.dropAfter == "" || !strings.Contains(string(msg[:min(len(msg), 200)]), `"method":"`+p.dropAfter+`"`) {
		return false
	}
	p.dropAfter = ""
	return true
}

func (p *Proxy) currentDelay() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.delay
}
