package page

import (
	"context"
	"time"
)

// patrolTimeout bounds the end of one document.
const patrolTimeout = 5 * time.Second

// patrol watches where pages and frames go, by whatever cause, and ends what the
// rules refuse: a page or frame is emptied, a popup closed. It sees a document
// once it is committed; a request that leads to one is not held up, because
// interception would cost every request of every page.
func (e *Engine) patrol(ctx context.Context) {
	for {
		changed := e.host.Changed()
		st := e.host.State()
		for i := range st.Tabs {
			e.inspect(ctx, &st.Tabs[i])
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
		if st.Lost != "" {
			return
		}
	}
}

// inspect looks at one tab.
func (e *Engine) inspect(ctx context.Context, tab *Tab) {
	top := tab.Top()
	if err := e.rules.refuse(tab.URL, top.Origin, true); err != nil {
		e.end(ctx, tab.ID+" "+tab.LoaderID, func(ctx context.Context) bool { return e.evict(ctx, tab, err) })
		return
	}
	for _, f := range tab.Frames {
		if f.ParentID == "" {
			continue
		}
		if err := e.rules.refuse(f.URL, f.Origin, false); err != nil {
			e.end(ctx, f.ID+" "+f.LoaderID, func(ctx context.Context) bool {
				if !e.empty(ctx, tab.Session, f.ID) {
					return false
				}
				e.refusals.note(tab.ID, "frame", err)
				return true
			})
		}
	}
}

// end has a document ended beside the patrol: a page that asks whether to leave
// must not keep it from the others. It is tried again at the next change.
func (e *Engine) end(ctx context.Context, document string, f func(context.Context) bool) {
	if !e.refusals.claim(document) {
		return
	}
	e.wg.Go(func() {
		ctx, cancel := context.WithTimeout(ctx, patrolTimeout)
		defer cancel()
		if !f(ctx) {
			e.refusals.unclaim(document)
		}
	})
}

// evict takes a page from where it may not be. The refusal is known before the
// page changes, so that whoever sees the change finds its cause.
func (e *Engine) evict(ctx context.Context, tab *Tab, why error) bool {
	e.sessions.drop(tab.ID)
	if tab.Opener != "" {
		e.refusals.popup(tab.Opener, why)
		if e.host.ClosePage(ctx, tab.ID) == nil {
			return true
		}
	}
	e.refusals.page(tab.ID, why)
	return e.empty(ctx, tab.Session, "")
}

// empty sends a frame, the top one for "", to about:blank. It is Page.navigate on
// the page's session, which reaches the frames of all processes.
func (e *Engine) empty(ctx context.Context, session, frameID string) bool {
	params := map[string]any{"url": "about:blank"}
	if frameID != "" {
		params["frameId"] = frameID
	}
	_, err := e.host.Call(ctx, session, "Page.navigate", params, nil)
	return err == nil
}

// popupTime is how long a new popup may take to say where it goes, and the patrol
// to end what the rules refuse.
const popupTime = loadTime

// checkDomain looks where the action led: what the patrol had to end is the
// action's error.
func (r *run) checkDomain() error {
	if !r.rules.any() {
		return nil
	}
	r.await(popupTime, func(st *State) bool {
		for i := range st.Tabs {
			t := &st.Tabs[i]
			_, old := r.began.Tab(t.ID)
			if !old && t.Opener != "" && (t.URL == "" || t.URL == "about:blank") {
				return false
			}
			if (t.ID == r.tabID || t.Opener == r.tabID) && r.rules.refuse(t.URL, t.Top().Origin, true) != nil {
				return false
			}
		}
		return true
	})
	return r.refusals.take(r.tabID)
}
