package page

import (
	"cdphost/sdk/fault"
)

// watch ends the action as soon as its page can't go on: a dialog, close, crash
// or the loss of the browser. The function it returns stops it and waits for it.
func (r *run) watch() (stop func()) {
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			changed := r.host.Changed()
			if err := r.obstacle(r.host.State()); err != nil {
				r.cancel(err)
				return
			}
			select {
			case <-changed:
			case <-quit:
				return
			case <-r.ctx.Done():
				return
			}
		}
	}()
	return func() {
		close(quit)
		<-done
	}
}

// obstacle tells why the action can't go on in a state; nil when it can.
func (r *run) obstacle(st *State) error {
	if st.Lost != "" {
		return fault.New(fault.SessionNotFound, "the task has no browser any more (%s): stop and report what you have", st.Lost)
	}
	tab, ok := st.Tab(r.tabID)
	switch {
	case !ok:
		return noTab(st, r.tabID)
	case tab.Blocked != nil && !r.bears(tab.Blocked):
		return blocked(tab)
	case r.refusals.emptied(r.tabID) != nil:
		return r.refusals.emptied(r.tabID)
	case tab.Crashed && !r.action.anyway:
		return fault.New(fault.InternalError, "the page crashed, or the browser discarded it to save memory; navigate it again or close the tab")
	}
	return nil
}

// bears reports whether the action can be carried out while a dialog holds the
// page. Looking can, where the page is readable; evaluating can too, if it was not
// what opened the dialog. Leaving can, where nobody can answer the dialog.
func (r *run) bears(d *Dialog) bool {
	if d.Orphaned {
		return r.action.anyway
	}
	return d.Readable && (r.action.reads || r.action.whileHeld && d.ID == r.heldBy)
}

// heldNow returns the dialog that holds the page and leaves it readable, nil when
// there is none.
func (r *run) heldNow() *Dialog {
	st := r.host.State()
	if tab, ok := st.Tab(r.tabID); ok && tab.Blocked != nil && tab.Blocked.Readable {
		return tab.Blocked
	}
	return nil
}

func blocked(tab *Tab) error {
	if tab.Blocked.Orphaned {
		return fault.New(fault.BlockedByDialog, "the %s dialog %s holds tab %s and can't be answered any more; navigate the tab or close it",
			tab.Blocked.Type, tab.Blocked.ID, tab.ID).With("dialog", tab.Blocked.Show)
	}
	return fault.New(fault.BlockedByDialog, "the %s dialog %s holds tab %s; answer it with browser_dialog, then look at the page again",
		tab.Blocked.Type, tab.Blocked.ID, tab.ID).With("dialog", tab.Blocked.Show)
}
