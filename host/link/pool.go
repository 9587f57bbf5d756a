package link

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"cdphost/host/endpoint"
	"cdphost/sdk/fault"
)

// Pool shares links: tasks whose specs are shareable and have the same key get
// the same link. The last one to release a link closes it. Methods may be called
// at once.
type Pool struct {
	opts Options
	own  atomic.Uint64 // counts the links that are not shared

	mu     sync.Mutex
	links  map[string]*pooled
	byLink map[*Link]*pooled
}

type pooled struct {
	key    string
	refs   int           // guarded by Pool.mu
	opened chan struct{} // closed when link and err are final
	link   *Link
	err    error
}

// NewPool returns an empty pool; all its links have the options o.
func NewPool(o Options) *Pool {
	return &Pool{opts: o, links: map[string]*pooled{}, byLink: map[*Link]*pooled{}}
}

// Acquire returns the link for spec, opening it when there is none. One caller
// opens, others for the same key wait for it. Each success is given back by one
// Release.
func (p *Pool) Acquire(ctx context.Context, spec endpoint.Spec) (*Link, error) {
	key := spec.Key()
	if !spec.Shareable() {
		key = fmt.Sprintf("%s/%d", key, p.own.Add(1))
	}
	for {
		e, opener := p.entry(key)
		if opener {
			p.open(ctx, e, spec)
		}
		if !opened(ctx, e) {
			p.drop(e)
			return nil, fault.Wrap(ctx.Err(), fault.Timeout, "the browser was not ready in time")
		}
		if e.err != nil {
			p.drop(e)
			if !opener && ctx.Err() == nil && fault.CodeOf(e.err) == fault.Aborted {
				continue // the opener gave up, not the browser
			}
			return nil, e.err
		}
		if e.link.Err() != nil { // it ended since: open afresh
			p.drop(e)
			continue
		}
		return e.link, nil
	}
}

// opened waits for e to be final. When ctx ends at that very moment the outcome
// counts, because it names the cause.
func opened(ctx context.Context, e *pooled) bool {
	select {
	case <-e.opened:
		return true
	case <-ctx.Done():
	}
	select {
	case <-e.opened:
		return true
	default:
		return false
	}
}

func (p *Pool) entry(key string) (e *pooled, opener bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	e = p.links[key]
	if e != nil {
		select {
		case <-e.opened:
			if e.err != nil || e.link.Err() != nil {
				e = nil // over: its users give it back by themselves
			}
		default:
		}
	}
	if e == nil {
		e, opener = &pooled{key: key, opened: make(chan struct{})}, true
		p.links[key] = e
	}
	e.refs++
	return e, opener
}

func (p *Pool) open(ctx context.Context, e *pooled, spec endpoint.Spec) {
	defer close(e.opened)
	e.link, e.err = Open(ctx, spec, p.opts)
	switch {
	case e.err == nil:
		p.mu.Lock()
		p.byLink[e.link] = e
		p.mu.Unlock()
	case errors.Is(ctx.Err(), context.Canceled):
		e.err = fault.Wrap(ctx.Err(), fault.Aborted, "the start of the browser was given up")
	}
}

// Release gives a link back; the last one closes it and waits until it ended.
func (p *Pool) Release(l *Link) {
	p.mu.Lock()
	e := p.byLink[l]
	p.mu.Unlock()
	if e != nil {
		p.drop(e)
	}
}

func (p *Pool) drop(e *pooled) {
	p.mu.Lock()
	e.refs--
	last := e.refs == 0
	if last && p.links[e.key] == e {
		delete(p.links, e.key)
	}
	p.mu.Unlock()
	if !last {
		return
	}
	<-e.opened
	if e.link != nil {
		p.mu.Lock()
		delete(p.byLink, e.link)
		p.mu.Unlock()
		_ = e.link.Close()
	}
}
