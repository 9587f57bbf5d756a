package link

import (
	"context"
	"sync"
	"time"

	"cdphost/host/cdp"
	"cdphost/host/endpoint"
	"cdphost/sdk/fault"
)

// Link is the connection to one browser and the routing of its targets to
// members. All methods may be called at once. Close ends it; a link that spent
// its reconnect budget has ended by itself (Done).
type Link struct {
	spec endpoint.Spec
	opts Options

	ctx    context.Context
	cancel context.CancelFunc
	done   chan struct{} // closed when run has returned

	browser *browser // owned by the goroutine that connects

	mu       sync.Mutex // guards what follows; held for state only, never over I/O
	epoch    uint64
	conn     *cdp.Conn     // nil while there is none
	settled  chan struct{} // closed when what conn reports of targets is settled, or conn is gone; nil then
	caps     Capabilities
	ended    error // why the link is over; nil while it lives
	sessions map[string]*session
	targets  map[string]*Member // page target id -> its member
	urls     map[string]string  // page target id -> its address, of pages that have a member
	contexts map[string]*Member
	members  map[*Member]struct{}
	waiting  map[string]chan struct{} // page target id -> closed when set up
	creating *Member                  // who makes a page in a shared context

	standby        *standby // nil while there is none
	standbyRefused bool     // the browser takes no second connection

	journal   *journal // what is to be undone on a browser of somebody else; nil for one of our own
	leftovers []item   // what tasks left behind while there was no connection

	shared chan struct{} // held while a page is made in a shared context
}

// session is one flattened CDP session of the current epoch.
type session struct {
	target  Target
	member  *Member
	pending int         // set-up commands not answered yet
	stall   *time.Timer // tells of a set-up that is not answered; nil for iframes
	crashed bool        // its renderer is gone
	// unloaded is true when it ends because its page's process has ended.
	unloaded bool
	extra    bool // a second session on its target, made by a command of the task's
}

// Open connects to the browser of spec, launching it when spec says so, and
// returns a link without members. Its error is a *fault.Error that names the
// cause and holds no secret of the endpoint's URL.
func Open(ctx context.Context, spec endpoint.Spec, o Options) (*Link, error) {
	l := &Link{
		spec: spec, opts: o.withDefaults(),
		done:     make(chan struct{}),
		sessions: map[string]*session{},
		targets:  map[string]*Member{},
		urls:     map[string]string{},
		contexts: map[string]*Member{},
		members:  map[*Member]struct{}{},
		waiting:  map[string]chan struct{}{},
		shared:   make(chan struct{}, 1),
	}
	if spec.Kind == endpoint.CDP {
		l.journal = newJournal(l.opts.JournalDir, l.opts.Logger)
	}
	l.ctx, l.cancel = context.WithCancel(context.Background())
	ctx, cancel := context.WithTimeout(ctx, l.opts.StartTimeout)
	defer cancel()
	conn, err := l.attach(ctx)
	if err != nil {
		l.cancel()
		close(l.done)
		l.closeBrowser(context.WithoutCancel(ctx))
		return nil, err
	}
	go l.run(conn)
	return l, nil
}

// Spec returns what the link was opened with.
func (l *Link) Spec() endpoint.Spec { return l.spec }

// Done is closed when the link is over and everything it started has ended.
func (l *Link) Done() <-chan struct{} { return l.done }

// Err returns why the link ended, or nil while it lives.
func (l *Link) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ended
}

// Capabilities returns what was found out about the browser.
func (l *Link) Capabilities() Capabilities {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.caps.clone()
}

// Drop cuts the current connection, as a network fault would. The link
// reconnects.
func (l *Link) Drop() {
	l.mu.Lock()
	conn := l.conn
	l.mu.Unlock()
	if conn != nil {
		_ = conn.Close()
	}
}

// Close ends the link: its connection, the browser if the link launched it, and
// its goroutines. Members must have left, or lose what they have.
func (l *Link) Close() error {
	l.mu.Lock()
	if l.ended == nil {
		l.ended = fault.New(fault.NoSupervisor, "the connection to the browser was closed")
	}
	l.mu.Unlock()
	l.cancel()
	<-l.done
	return nil
}

// current returns the connection in use, once it is settled how pages get their
// sessions on it.
func (l *Link) current(ctx context.Context) (*cdp.Conn, error) {
	for {
		l.mu.Lock()
		conn, _, err := l.currentLocked()
		settled := l.settled
		l.mu.Unlock()
		if err != nil || settled == nil {
			return conn, err
		}
		select {
		case <-settled:
		case <-ctx.Done():
			return nil, fault.Wrap(ctx.Err(), fault.Timeout, "the connection to the browser is still being restored")
		}
	}
}

func (l *Link) currentLocked() (*cdp.Conn, uint64, error) {
	switch {
	case l.ended != nil:
		return nil, 0, l.ended
	case l.conn == nil:
		return nil, 0, errRestoring()
	}
	return l.conn, l.epoch, nil
}

func errRestoring() error {
	return fault.New(fault.BrowserGone, "the connection to the browser dropped and is being restored; try again in a moment")
}

func (l *Link) memberList() []*Member {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.membersLocked()
}

func (l *Link) membersLocked() []*Member {
	ms := make([]*Member, 0, len(l.members))
	for m := range l.members {
		ms = append(ms, m)
	}
	return ms
}
