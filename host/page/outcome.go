package page

import (
	"context"
	"time"
)

const (
	// leaveTime is how long after a press a navigation that it causes takes to
	// start; only presses on links and submit buttons are given it.
	leaveTime = 150 * time.Millisecond

	// loadTime is how long a page that a press led to may load before the
	// action is reported, as loading.
	loadTime = 5 * time.Second
)

// outcomeSince tells what an action led to: another document, other tabs. It
// waits only where something is to be expected.
func (r *run) outcomeSince(before *State, leaves, opens bool) (*pressed, error) {
	old, _ := before.Tab(r.tabID)
	changed := func(st *State) bool {
		tab, ok := st.Tab(r.tabID)
		return !ok || tab.LoaderID != old.LoaderID || tab.URL != old.URL || (tab.Loading && !old.Loading)
	}
	opened := func(st *State) bool { return len(openedTabs(before, st, r.tabID)) > 0 }
	if leaves {
		r.await(leaveTime, func(st *State) bool { return changed(st) || opened(st) })
	}
	if opens {
		r.await(2*leaveTime, opened)
	}
	if st := r.host.State(); changed(st) {
		r.await(loadTime, func(st *State) bool {
			tab, ok := st.Tab(r.tabID)
			return !ok || !tab.Loading || (tab.Loaded && tab.LoaderID != old.LoaderID)
		})
	}
	if r.ctx.Err() != nil {
		return nil, context.Cause(r.ctx)
	}
	st := r.host.State()
	tab, ok := st.Tab(r.tabID)
	if !ok {
		return nil, noTab(st, r.tabID)
	}
	return &pressed{
		URL: tab.URL, Navigated: tab.LoaderID != old.LoaderID, Loading: tab.Loading && !tab.Loaded,
		Opened: openedTabs(before, st, r.tabID),
	}, nil
}

// await waits until the state is as wanted, but not beyond d or the action's end.
func (r *run) await(d time.Duration, wanted func(*State) bool) {
	t := time.NewTimer(d)
	defer t.Stop()
	for {
		changed := r.host.Changed()
		if wanted(r.host.State()) {
			return
		}
		select {
		case <-changed:
		case <-t.C:
			return
		case <-r.ctx.Done():
			return
		}
	}
}

func openedTabs(before, now *State, opener string) []string {
	var out []string
	for i := range now.Tabs {
		if _, there := before.Tab(now.Tabs[i].ID); !there && now.Tabs[i].Opener == opener {
			out = append(out, now.Tabs[i].ID)
		}
	}
	return out
}
