package cdptest

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/coder/websocket"
)

// errAnswered is of a client that was refused by the websocket library, which has told it so.
var errAnswered = errors.New("answered")

// ServeHTTP implements http.Handler.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.TrimSuffix(r.URL.Path, "/") == "/json/version" {
		w.Header().Set("Content-Type", "application/json; charset=UTF-8")
		_ = json.NewEncoder(w).Encode(map[string]string{ // a client that left is its own affair
			"Browser": product, "Protocol-Version": "1.3", "webSocketDebuggerUrl": p.URL(),
		})
		return
	}
	if !p.enter() {
		http.Error(w, "Too Many Requests", http.StatusTooManyRequests)
		return
	}
	defer p.work.Done()
	l, err := p.serveSocket(w, r)
	if err != nil && !errors.Is(err, errAnswered) {
		http.Error(w, err.Error(), http.StatusBadGateway)
	}
	p.leave(l)
}

// enter counts a socket in, if there may be one more.
func (p *Proxy) enter() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || p.opts.OneConnection && p.open > 0 {
		return false
	}
	p.open++
	p.work.Add(1)
	return true
}

// leave counts a socket out; l is nil when it never got through.
func (p *Proxy) leave(l *link) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open--
	if l != nil {
		delete(p.links, l)
		close(l.gone)
	}
}

// serveSocket connects a client with its browser and runs until one of them is gone. An error is for
// a client that has not been accepted.
func (p *Proxy) serveSocket(w http.ResponseWriter, r *http.Request) (*link, error) {
	ctx, cancel := context.WithCancel(p.run)
	defer cancel()
	target := p.opts.Target
	if p.opts.Launch != nil {
		b, err := p.opts.Launch(ctx)
		if err != nil {
			return nil, err
		}
		defer func() { _ = b.Close() }() // what matters has been told to the client by then
		target = b.WSURL
	}
	browser, _, err := websocket.Dial(ctx, target, nil)
	if err != nil {
		return nil, err
	}
	client, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		CompressionMode: websocket.CompressionDisabled, InsecureSkipVerify: true,
	})
	if err != nil {
		_ = browser.CloseNow()
		return nil, errAnswered
	}
	l := newLink(p, client, browser, cancel)
	p.mu.Lock()
	p.links[l] = true
	p.mu.Unlock()
	l.serve(ctx)
	return l, nil
}
