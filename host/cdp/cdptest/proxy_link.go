package cdptest

import (
	"bytes"
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
)

// link is one client's connection through a proxy.
type link struct {
	p        *Proxy
	client   *websocket.Conn
	browser  *websocket.Conn
	cut      context.CancelFunc // ends both sides at once
	halfOpen atomic.Bool
	gone     chan struct{} // closed when both sides are gone
}

func newLink(p *Proxy, client, browser *websocket.Conn, cut context.CancelFunc) *link {
	client.SetReadLimit(-1)
	browser.SetReadLimit(-1)
	return &link{p: p, client: client, browser: browser, cut: cut, gone: make(chan struct{})}
}

// serve passes messages on until one side is gone.
func (l *link) serve(ctx context.Context) {
	var work sync.WaitGroup
	work.Go(func() { l.pump(ctx, l.client, l.browser, func([]byte) bool { return false }) })
	work.Go(func() { l.pump(ctx, l.browser, l.client, l.p.dropsAfter) })
	<-ctx.Done()
	_ = l.client.CloseNow() // both may be closed already, which is the aim
	_ = l.browser.CloseNow()
	work.Wait()
}

// parcel is a message on its way.
type parcel struct {
	kind websocket.MessageType
	data []byte
	due  time.Time
}

// pump carries messages one way. Reading never waits for writing, so a delay does not slow the flow.
func (l *link) pump(ctx context.Context, from, to *websocket.Conn, last func([]byte) bool) {
	var work sync.WaitGroup
	defer work.Wait()
	defer l.cut()                   // ends the other goroutine
	due := make(chan parcel, 1<<16) // as many messages as a delay may hold back
	work.Go(func() {
		defer l.cut()
		l.deliver(ctx, to, due, last)
	})
	for {
		kind, data, err := from.Read(ctx)
		if err != nil {
			return
		}
		select {
		case due <- parcel{kind, data, time.Now().Add(l.p.currentDelay())}:
		case <-ctx.Done():
			return
		}
	}
}

// deliver writes parcels when they are due.
func (l *link) deliver(ctx context.Context, to *websocket.Conn, due <-chan parcel, last func([]byte) bool) {
	for {
		var next parcel
		select {
		case next = <-due:
		case <-ctx.Done():
			return
		}
		if wait := time.Until(next.due); wait > 0 {
			timer := time.NewTimer(wait)
			select {
			case <-timer.C:
			case <-ctx.Done():
				timer.Stop()
				return
			}
		}
		if l.halfOpen.Load() {
			continue
		}
		times := 1
		if to == l.client && l.p.opts.RepeatDetached && bytes.HasPrefix(next.data, []byte(`{"method":"Target.detachedFromTarget"`)) {
			times = 2
		}
		for range times {
			if to.Write(ctx, next.kind, next.data) != nil {
				return
			}
		}
		if last(next.data) {
			return
		}
	}
}
