package page

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"

	"cdphost/sdk/fault"
)

// DefaultTimeout is the deadline of an action that names none.
const DefaultTimeout = 30 * time.Second

// Options configure an Engine. Host is required.
type Options struct {
	Host   Host
	Logger hclog.Logger

	// Timeout bounds every action; DefaultTimeout when 0.
	Timeout time.Duration

	// BlockedDomains are host names that, with their subdomains, no page or frame
	// may show.
	BlockedDomains []string

	// Origins says which origins pages may go to.
	Origins Origins

	// UploadRoot is the folder whose files may be put into file inputs; empty
	// refuses all.
	UploadRoot string

	// ReserveUIDs takes n element numbers and returns the first of them, the next
	// one for n = 0. It must not give a number twice in the life of the task, of
	// which the engine may see only a part. Nil counts from 1. It must not block.
	ReserveUIDs func(n uint64) (first uint64)

	// Now is the clock of the session records; time.Now when nil.
	Now func() time.Time
}

// Engine carries out the actions of one task. Actions on one tab run in the
// order in which they were called, those of different tabs at the same time.
// It keeps what the task's uids stand for and must live as long as they are to
// be valid.
// All methods may be called at once.
type Engine struct {
	host Host
	opts Options
	log  hclog.Logger
	key  string // name of the isolated worlds and of the walker in them

	rules    *rules
	refusals *refusals
	uids     *uids
	worlds   *worlds
	sessions *sessions

	ctx    context.Context // ends with Close
	cancel context.CancelFunc

	mu     sync.Mutex
	closed bool
	wg     sync.WaitGroup // background work: releases of held buttons, the patrol
}

// New returns the engine of a task.
func New(o Options) *Engine {
	if o.Logger == nil {
		o.Logger = hclog.NewNullLogger()
	}
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	e := &Engine{
		host:     o.Host,
		opts:     o,
		log:      o.Logger,
		key:      "w" + rand.Text(),
		rules:    newRules(o.BlockedDomains, o.Origins),
		refusals: newRefusals(),
		uids:     newUIDs(o.ReserveUIDs),
		worlds:   newWorlds(),
		sessions: newSessions(o.Now),
	}
	e.ctx, e.cancel = context.WithCancel(context.Background())
	if e.rules.any() {
		e.wg.Go(func() { e.patrol(e.ctx) })
	}
	return e
}

// Close ends actions in flight and waits for the background work.
func (e *Engine) Close() {
	e.mu.Lock()
	e.closed = true
	e.mu.Unlock()
	e.cancel()
	e.wg.Wait()
}

// Do carries out one action, given as the browser tool's arguments. It returns
// by the action's deadline at the latest, at once when ctx ends.
func (e *Engine) Do(ctx context.Context, args json.RawMessage) *Reply {
	var head common
	if err := json.Unmarshal(args, &head); err != nil {
		return failed("", "", fault.New(fault.InvalidAction, "the arguments are not an action: %v", err))
	}
	i := slices.IndexFunc(actions, func(a *action) bool { return a.name == head.Type })
	if i < 0 {
		return failed(head.Type, head.TabID, fault.New(fault.InvalidAction, "there is no action %q; type is one of %s", head.Type, names()))
	}
	return e.do(ctx, actions[i], head.TabID, args)
}

func (e *Engine) do(ctx context.Context, a *action, tabID string, args json.RawMessage) *Reply {
	r := &run{Engine: e, action: a, caller: ctx}
	if err := r.pick(tabID); err != nil {
		return failed(a.name, tabID, err)
	}
	result, err := r.carryOut(args)
	reply := &Reply{OK: err == nil, Action: a.name, TabID: r.tabID, Result: result, Images: r.images}
	if err != nil {
		reply.Result = nil
		reply.Error = failure(err)
	}
	if d := r.heldNow(); d != nil && reply.OK {
		reply.Held = d.Show
	}
	reply.Earlier = append(e.sessions.takeEnded(r.tabID), e.refusals.told(r.tabID)...)
	return reply
}
