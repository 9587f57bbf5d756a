package page

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"cdphost/host/cdp"
	"cdphost/sdk/fault"
)

// run is one action while it is carried out.
type run struct {
	*Engine
	action *action
	caller context.Context
	ctx    context.Context // ends with the action, its cause says why
	cancel context.CancelCauseFunc
	tabID  string
	heldBy string // the dialog that held the page when the action began
	began  *State // as it was when the action was asked for
	images []Image

	mu       sync.Mutex
	progress string                // how far it came, told when a dialog interrupts it
	held     func(context.Context) // lets go of what the action holds down
	once     sync.Once

	learned atomic.Bool // closed shadow roots were found
}

// errAborted is the cause when the caller cancelled.
var errAborted = fault.New(fault.InternalError, "aborted by caller")

// pick settles which tab the action is on.
func (r *run) pick(tabID string) error {
	st := r.host.State()
	r.began = st
	if st.Lost != "" {
		return fault.New(fault.SessionNotFound, "the task has no browser any more (%s): stop and report what you have", st.Lost)
	}
	if r.action.tabless {
		r.tabID = tabID
		return nil
	}
	if tabID == "" {
		tabID = st.Current
	}
	tab, ok := st.Tab(tabID)
	if !ok {
		return noTab(st, tabID)
	}
	r.tabID = tab.ID
	return nil
}

func noTab(st *State, id string) error {
	ids := make([]string, len(st.Tabs))
	for i, t := range st.Tabs {
		ids[i] = t.ID
	}
	if id == "" {
		return fault.New(fault.TabNotFound, "the task has no open tab; use open_tab").With("tabs", ids)
	}
	return fault.New(fault.TabNotFound, "there is no tab %s (closed, or never there)", id).With("tabs", ids)
}

// carryOut runs the action with its deadline, in its tab's order, and watched.
func (r *run) carryOut(args json.RawMessage) (any, error) {
	timed, stop := context.WithTimeout(r.caller, r.timeout(args))
	defer stop()
	r.ctx, r.cancel = context.WithCancelCause(timed)
	defer r.cancel(nil)
	defer context.AfterFunc(r.Engine.ctx, func() { r.cancel(errAborted) })()

	if !r.action.tabless {
		unlock, err := r.sessions.enter(r.ctx, r.tabID)
		if err != nil {
			return nil, r.reason(err)
		}
		defer unlock()
		if err := r.admit(); err != nil {
			return nil, err
		}
		defer r.watch()()
		r.host.SetCurrent(r.tabID)
	}
	result, err := r.action.do(r, args)
	if err != nil {
		if refused := r.refusals.take(r.tabID); refused != nil {
			return nil, refused
		}
		return nil, r.reason(err)
	}
	if err := r.checkDomain(); err != nil {
		return nil, err
	}
	return result, nil
}

// admit refuses an action that could not be carried out truthfully.
func (r *run) admit() error {
	st := r.host.State()
	tab, ok := st.Tab(r.tabID)
	if !ok {
		return noTab(st, r.tabID)
	}
	if tab.Blocked != nil {
		r.heldBy = tab.Blocked.ID
	}
	emptied, popup := r.refusals.begin(r.tabID) // since the last action, by the page itself
	if popup != nil {
		r.refusals.note(r.tabID, "popup", popup)
	}
	if err := r.obstacle(st); err != nil {
		return err
	}
	if r.action.name == "navigate" {
		if emptied != nil {
			r.refusals.note(r.tabID, "page", emptied)
		}
	} else {
		if emptied != nil {
			return emptied
		}
		if err := r.rules.refuse(tab.URL, tab.Top().Origin, true); err != nil {
			return err // the patrol has yet to see it
		}
	}
	return r.sessions.act(tab)
}

// timeout is the action's deadline; wait_for and navigate may ask for another
// one, and get a little more, to say so themselves when it is over.
func (r *run) timeout(args json.RawMessage) time.Duration {
	var own struct {
		Timeout *float64 `json:"timeout"`
	}
	if json.Unmarshal(args, &own) == nil && own.Timeout != nil && *own.Timeout > 0 {
		if d := seconds(*own.Timeout) + time.Second; d > r.opts.Timeout {
			return min(d, maxTimeout+time.Second)
		}
	}
	return r.opts.Timeout
}

// maxTimeout is the longest that an action may be told to wait.
const maxTimeout = 300 * time.Second

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// call sends one command of the action. It ends when the action does.
func (r *run) call(session, method string, params any) (json.RawMessage, error) {
	return r.callIn(r.ctx, session, method, params)
}

func (r *run) callIn(ctx context.Context, session, method string, params any) (json.RawMessage, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return r.host.Call(ctx, session, method, params, r.late)
}

// reason turns what a step returned into why the action failed: an action that
// ended early has the cause of that, whatever the step made of it.
func (r *run) reason(err error) error {
	var fe *fault.Error
	if r.ctx.Err() == nil {
		if errors.Is(err, context.DeadlineExceeded) && !errors.As(err, &fe) {
			return r.overdue() // a step saw the deadline before the action's context did
		}
		return r.translate(err)
	}
	cause := context.Cause(r.ctx)
	switch {
	case errors.As(cause, &fe):
		return fe
	case r.caller.Err() != nil && !errors.Is(r.caller.Err(), context.DeadlineExceeded):
		return errAborted
	case errors.As(err, &fe) && fe.Code != fault.InternalError:
		return fe
	}
	return r.overdue()
}

func (r *run) overdue() error {
	return fault.New(fault.Timeout, "%s did not end in time; extract and look before doing it again", r.action.name)
}

// newsTime is how long after a session's end its page's own end may take to be known.
const newsTime = time.Second

// left tells that the session of a page or frame went away under a command.
func left(err error) bool {
	return errors.Is(err, cdp.ErrSessionGone) || errors.Is(err, fault.SessionNotFound)
}

// translate gives the browser's refusals a code of ours.
func (r *run) translate(err error) error {
	var refused *cdp.Error
	var fe *fault.Error
	if left(err) && r.tabID != "" {
		r.await(newsTime, func(st *State) bool { return r.obstacle(st) != nil })
		if err := r.obstacle(r.host.State()); err != nil {
			return err
		}
	}
	st := r.host.State()
	switch {
	case errors.As(err, &fe) && (fe.Code == fault.BrowserGone || fe.Code == fault.NoSupervisor):
		return fault.Wrap(err, fault.SessionNotFound, "the task's browser is gone (%s): stop and report what you have", fe.Message)
	case left(err), gone(err), errors.Is(err, errOtherDocument):
		return fault.Wrap(err, fault.InternalError, "the page or a frame of it went away during %s; look where it is now", r.action.name)
	case errors.As(err, &fe):
		return fe
	case st.Lost != "":
		return fault.New(fault.SessionNotFound, "the task has no browser any more (%s): stop and report what you have", st.Lost)
	case errors.As(err, &refused):
		return fault.Wrap(err, fault.InternalError, "the browser refused a step of %s: %s", r.action.name, refused.Message)
	}
	return fault.Wrap(err, fault.InternalError, "%s failed: %v", r.action.name, err)
}
