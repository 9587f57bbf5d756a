package page

import (
	"context"
	"encoding/json"
	"sync/atomic"

	"cdphost/host/cdp"
	"cdphost/host/dialog"
	"cdphost/host/frame"
	"cdphost/host/supervisor"
)

// Caller sends a command with admission, in the form of Host.Call.
type Caller func(ctx context.Context, session, method string, params any, late func(json.RawMessage, error)) (json.RawMessage, error)

// Supervised returns the Host of a supervised task. Commands go through call;
// nil means the supervisor's own Call, without admission.
func Supervised(s *supervisor.Supervisor, call Caller) Host {
	if call == nil {
		call = direct(s)
	}
	return &supervised{s: s, call: call}
}

type supervised struct {
	s    *supervisor.Supervisor
	call Caller
	last atomic.Pointer[stateOf]
}

// stateOf is the State of one snapshot.
type stateOf struct {
	snap  *supervisor.Snapshot
	state *State
}

func direct(s *supervisor.Supervisor) Caller {
	return func(ctx context.Context, session, method string, params any, late func(json.RawMessage, error)) (json.RawMessage, error) {
		cmd := cdp.Command{SessionID: session, Method: method}
		if params != nil {
			raw, err := json.Marshal(params)
			if err != nil {
				return nil, err
			}
			cmd.Params = raw
		}
		if late == nil {
			return s.Call(ctx, cmd)
		}
		return s.Call(ctx, cmd, cdp.WithLate(late))
	}
}

func (h *supervised) Call(ctx context.Context, session, method string, params any, late func(json.RawMessage, error)) (json.RawMessage, error) {
	return h.call(ctx, session, method, params, late)
}

func (h *supervised) State() *State {
	snap := h.s.Snapshot()
	if last := h.last.Load(); last != nil && last.snap == snap {
		return last.state
	}
	state := stateFrom(snap)
	h.last.Store(&stateOf{snap, state})
	return state
}

func (h *supervised) Changed() <-chan struct{} { return h.s.Changed() }

func (h *supervised) OpenPage(ctx context.Context, background bool) (string, error) {
	p, err := h.s.OpenPage(ctx)
	if err != nil {
		return "", err
	}
	if !background {
		_, err = h.Call(ctx, "", "Target.activateTarget", map[string]any{"targetId": p.TargetID}, nil)
	}
	return p.TabID, err
}

func (h *supervised) ClosePage(ctx context.Context, tabID string) error {
	return h.s.ClosePage(ctx, tabID)
}

func (h *supervised) SetCurrent(tabID string) { h.s.SetCurrent(tabID) }

func stateFrom(snap *supervisor.Snapshot) *State {
	st := &State{Current: snap.Current, Tabs: make([]Tab, len(snap.Pages))}
	for i, p := range snap.Pages {
		st.Tabs[i] = Tab{
			ID: p.TabID, Session: p.SessionID, URL: p.URL, Title: p.Title, Opener: p.OpenerTab, LoaderID: p.LoaderID,
			Loading: p.Loading, Loaded: p.LoaderID != "" && p.LoadedLoader == p.LoaderID, Crashed: p.Crashed || p.Discarded, Frames: framesOf(p.Frames),
		}
		if d, ok := snap.Blocked(p.TabID); ok && !settling(d) {
			st.Tabs[i].Blocked = &Dialog{ID: d.ID, Type: string(d.Type), Readable: d.Readable, Orphaned: d.State == dialog.Orphaned, Show: d}
		}
	}
	return st
}

// settling tells of a dialog that the policy is about to close: no action needs
// to be told of it, it goes on by itself.
func settling(d *dialog.Dialog) bool {
	return d.Deciding || (d.State == dialog.Answering && d.Answer != nil && d.Answer.By == dialog.AutoPolicy)
}

// framesOf lists the frames that can be reached.
func framesOf(frozen *frame.Frozen) []Frame {
	out := make([]Frame, 0, frozen.Len())
	for f := range frozen.Frames() {
		session, ok := frozen.SessionOf(f.ID)
		if !ok || f.Crashed {
			continue
		}
		out = append(out, Frame{
			ID: f.ID, ParentID: f.ParentID, Session: session, URL: f.URL, Origin: f.Origin, LoaderID: f.LoaderID,
			Context: f.DefaultContext,
		})
	}
	return out
}
