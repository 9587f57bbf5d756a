package supervisor

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"cdphost/host/dialog"
	"cdphost/host/endpoint"
	"cdphost/host/link"
	"cdphost/sdk/fault"

	"github.com/hashicorp/go-hclog"
)

// Supervisor is a task's view of one browser. All methods may be called at once.
// It is made by a Registry and ended by it.
type Supervisor struct {
	key    Key
	spec   endpoint.Spec
	record *Record
	logger hclog.Logger

	settings atomic.Pointer[Settings]
	snap     atomic.Pointer[Snapshot]

	link   *link.Link
	member *link.Member // set before the supervisor is handed out

	ctx    context.Context // ends with the supervisor
	cancel context.CancelFunc
	work   sync.WaitGroup    // goroutines that decide or recover
	onLost func(*Supervisor) // tells the registry; must not wait

	mu        sync.Mutex // guards what follows; held for state only
	stopped   bool
	epoch     uint64
	connected bool
	attached  context.Context // ends with the epoch
	detach    context.CancelFunc
	pages     []*pageState
	current   string
	dialogs   *dialog.Queue
	answers   map[string]chan answered // by dialog id
	toTell    []told                   // with the next snapshot
	sessions  map[string]*sessionState // of the current epoch
	claims    map[*claimed]struct{}    // not judged yet
	held      map[string]*claimed      // what a bridge holds, by dialog id
	lost      []LostPage
	dirty     bool // something changed since the last publication
	changed   chan struct{}
	seq       uint64
	eventSeq  uint64
	subs      []*Subscription // replaced, never changed in place
	timer     *time.Timer     // the next deadline of a dialog
	console   consoleRing
}

func newSupervisor(rec *Record, spec endpoint.Spec, set Settings, logger hclog.Logger) *Supervisor {
	set = set.withDefaults()
	s := &Supervisor{
		key: rec.Key, spec: spec, record: rec, logger: logger,
		answers: map[string]chan answered{}, sessions: map[string]*sessionState{},
		claims: map[*claimed]struct{}{}, held: map[string]*claimed{},
		dialogs: dialog.NewQueue(dialog.Options{
			MessageCap: set.MessageCap, Timeout: set.DialogTimeout,
			FloodPerSecond: set.FloodPerSecond, NextID: rec.NextDialog,
		}),
	}
	s.settings.Store(&set)
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.attached, s.detach = context.WithCancel(s.ctx)
	s.detach()
	s.timer = time.AfterFunc(time.Hour, s.expire)
	s.timer.Stop()
	s.snap.Store(&Snapshot{Task: s.key, Backend: Backend{Kind: string(spec.Kind)}})
	return s
}

// Key names the task.
func (s *Supervisor) Key() Key { return s.key }

// Spec returns where the task's browser is.
func (s *Supervisor) Spec() endpoint.Spec { return s.spec }

// Record returns the task's counters.
func (s *Supervisor) Record() *Record { return s.record }

// Settings returns what configuration says about the task now.
func (s *Supervisor) Settings() Settings { return *s.settings.Load() }

// Snapshot returns the task's state as of the last event read. It costs one
// atomic load.
func (s *Supervisor) Snapshot() *Snapshot { return s.snap.Load() }

// Changed returns a channel that is closed at the next publication. To wait for
// a condition, take the channel first and look at the Snapshot then.
func (s *Supervisor) Changed() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.changed == nil {
		s.changed = make(chan struct{})
		if s.stopped {
			close(s.changed)
		}
	}
	return s.changed
}

// Wait returns the first snapshot for which done is true. Its error is ctx's as
// fault.Timeout, or fault.NoSupervisor when the task is stopped meanwhile.
func (s *Supervisor) Wait(ctx context.Context, done func(*Snapshot) bool) (*Snapshot, error) {
	for {
		changed := s.Changed()
		if snap := s.Snapshot(); done(snap) {
			return snap, nil
		}
		if s.ctx.Err() != nil {
			return nil, fault.New(fault.NoSupervisor, "the task was stopped")
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, fault.Wrap(ctx.Err(), fault.Timeout, "the page did not come to the expected state in time")
		}
	}
}

// Attached returns a context that ends with the epoch, and whether that is the
// one in use.
func (s *Supervisor) Attached(epoch uint64) (context.Context, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.attached, s.epoch == epoch && s.attached.Err() == nil
}

// Done is closed when the supervisor is being stopped.
func (s *Supervisor) Done() <-chan struct{} { return s.ctx.Done() }

// update runs f with the lock held, publishes what it changed, and carries out
// the effects that it asked for. Every change of state goes through here.
func (s *Supervisor) update(f func(fx *effects)) {
	var fx effects
	s.mu.Lock()
	f(&fx)
	s.publishLocked()
	s.mu.Unlock()
	s.carryOut(&fx)
}

// publishLocked makes a new snapshot if anything changed, and then tells those who
// wait for the end of a dialog: what they read next has to know of it.
func (s *Supervisor) publishLocked() {
	s.snapshotLocked()
	for _, t := range s.toTell {
		t.waiter <- t.outcome
	}
	s.toTell = nil
}

func (s *Supervisor) snapshotLocked() {
	if !s.dirty {
		return
	}
	s.dirty = false
	s.seq++
	pending := s.dialogs.Pending()
	s.markBlockedLocked(pending)
	pages := make([]*Page, len(s.pages))
	for i, p := range s.pages {
		pages[i] = p.freeze()
	}
	s.snap.Store(&Snapshot{
		Task: s.key, Seq: s.seq, Epoch: s.epoch, Connected: s.connected,
		Pages: pages, Current: s.current,
		Pending: pending, Recent: s.dialogs.Recent(),
		Backend: s.backendLocked(pages), Lost: slices.Clone(s.lost),
	})
	if s.changed != nil && !s.stopped {
		close(s.changed)
		s.changed = nil
	}
	s.armLocked()
}

func (s *Supervisor) backendLocked(pages []*Page) Backend {
	b := Backend{Kind: string(s.spec.Kind)}
	if s.link != nil {
		caps := s.link.Capabilities()
		b.Product, b.Capabilities, b.Degraded = caps.Product, caps.Has, caps.Degraded
	}
	for _, p := range pages {
		for _, d := range p.Degraded {
			b.Degraded = append(b.Degraded, p.TabID+": "+d)
		}
	}
	return b
}

// Configure replaces the settings. Dialogs that are held are decided anew when
// the policy is another one.
func (s *Supervisor) Configure(set Settings) {
	set = set.withDefaults()
	old := s.settings.Swap(&set)
	if old.Policy != set.Policy || old.PolicyName != set.PolicyName {
		s.Redecide()
	}
	s.switchBridges()
}

// Redecide asks the policy anew about every dialog that is held, as after a swap
// or a restart of the policy's plugin.
func (s *Supervisor) Redecide() {
	s.update(func(fx *effects) {
		fx.decide = append(fx.decide, s.dialogs.Redecide()...)
		s.dirty = true
	})
}
