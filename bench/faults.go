package main

import (
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"time"
)

// proxy stands between a peer and a browser so that their connection can be cut.
type proxy struct {
	l     net.Listener
	to    string
	mu    sync.Mutex
	conns []net.Conn
}

func newProxy(to string) (*proxy, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &proxy{l: l, to: to}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go p.serve(c)
		}
	}()
	return p, nil
}

func (p *proxy) serve(c net.Conn) {
	up, err := net.Dial("tcp", p.to)
	if err != nil {
		_ = c.Close()
		return
	}
	p.mu.Lock()
	p.conns = append(p.conns, c, up)
	p.mu.Unlock()
	go func() { _, _ = io.Copy(up, c); _ = up.Close() }()
	_, _ = io.Copy(c, up)
	_ = c.Close()
}

// cut drops all connections and returns how many there were.
func (p *proxy) cut() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.conns)
	for _, c := range p.conns {
		_ = c.Close()
	}
	p.conns = nil
	return n
}

func (p *proxy) close() { _ = p.l.Close(); p.cut() }

// dropped measures from the cut of the connection to a browser until a call works
// again on the same page.
func (b *bench) dropped(chrome string) []sample {
	var out []sample
	for range 3 {
		out = append(out, b.oneDrop(chrome))
	}
	return out
}

func (b *bench) oneDrop(chrome string) sample {
	browser, err := launchChromium(chrome)
	if err != nil {
		return sample{fail: err.Error()}
	}
	defer browser.close()
	p, err := newProxy(browser.addr)
	if err != nil {
		return sample{fail: err.Error()}
	}
	defer p.close()
	s, err := b.peer.join(b.ctx, "ws://"+p.l.Addr().String()+browser.path)
	if err != nil {
		return sample{fail: "can't join: " + err.Error()}
	}
	defer s.close()
	do := b.peer.do
	if err := do.navigate(b.ctx, s, hangLimit, b.site.url("/plain?id=x")); err != nil {
		return sample{fail: "can't navigate: " + err.Error()}
	}
	if _, err := do.evaluate(b.ctx, s, hangLimit, "window.kept = 'it is kept'"); err != nil {
		return sample{fail: "can't evaluate: " + err.Error()}
	}
	began := time.Now()
	if p.cut() == 0 {
		return sample{fail: "there was no connection"}
	}
	return b.until(began, func() error {
		s.pages = nil // a model would look again
		text, err := do.evaluate(b.ctx, s, hangLimit, "window.kept")
		if err == nil && !strings.Contains(text, "it is kept") {
			return errOtherPage
		}
		return err
	})
}

var errOtherPage = errors.New("works on another page")

// until tries until it works, for at most two hang limits.
func (b *bench) until(began time.Time, try func() error) sample {
	var err error
	for time.Since(began) < 2*hangLimit {
		if err = try(); err == nil || errors.Is(err, errOtherPage) || b.ctx.Err() != nil {
			return timed(began, err)
		}
		time.Sleep(20 * time.Millisecond) // what fails at once is not to spin
	}
	return timed(began, err)
}

// browserKilled measures from the death of a peer's browser until it shows a page
// again.
func (b *bench) browserKilled() []sample {
	var out []sample
	for range 3 {
		out = append(out, b.oneDeath())
	}
	return out
}

func (b *bench) oneDeath() sample {
	s, err := b.peer.start(b.ctx)
	if err != nil {
		return sample{fail: err.Error()}
	}
	defer s.close()
	url := b.site.url("/plain?id=x")
	if err := b.peer.do.navigate(b.ctx, s, time.Minute, url); err != nil {
		return sample{fail: err.Error()}
	}
	p, ok := mainBrowser(family(s.family))
	if !ok {
		return sample{fail: "no browser found"}
	}
	began := time.Now()
	kill(p.pid)
	return b.until(began, func() error { return b.peer.do.navigate(b.ctx, s, hangLimit, url) })
}

// leftovers ends a peer that has a page open, without letting it know, and counts
// the processes that live on 5 s later.
func (b *bench) leftovers(end func(*session)) stats {
	s, err := b.peer.start(b.ctx)
	if err != nil {
		return stats{Note: err.Error()}
	}
	defer s.close()
	if err := b.peer.do.navigate(b.ctx, s, time.Minute, b.site.url("/plain?id=x")); err != nil {
		return stats{Note: err.Error()}
	}
	before := family(s.family)
	end(s)
	for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline) && len(alive(before)) > 0; {
		time.Sleep(50 * time.Millisecond)
	}
	left := alive(before)
	for _, p := range left {
		kill(p.pid)
	}
	return stats{Value: float64(len(left))}
}

// vanish is what a server sees of a client that was killed.
func vanish(s *session) { _ = s.stdin.Close() }
