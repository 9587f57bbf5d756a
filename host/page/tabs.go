package page

import "cdphost/sdk/fault"

var getTabs = &action{
	name:    "get_tabs",
	line:    "list the open tabs.",
	schema:  takes("get_tabs"),
	tabless: true,
	do:      perform(doGetTabs),
}

// TabInfo is a tab as an agent sees it.
type TabInfo struct {
	TabID   string   `json:"tabId"`
	URL     string   `json:"url"`
	Title   string   `json:"title"`
	Current bool     `json:"current,omitempty"`
	Opener  string   `json:"opener,omitempty"`
	Blocked string   `json:"blocked_by,omitempty"`
	Crashed bool     `json:"crashed,omitempty"`
	Session *Session `json:"session,omitempty"`
}

func doGetTabs(r *run, _ struct{}) (any, error) {
	st := r.host.State()
	tabs := make([]TabInfo, len(st.Tabs))
	for i, t := range st.Tabs {
		tabs[i] = TabInfo{
			TabID: t.ID, URL: t.URL, Title: t.Title, Current: t.ID == st.Current, Opener: t.Opener,
			Crashed: t.Crashed, Session: r.sessions.get(t.ID),
		}
		if t.Blocked != nil {
			tabs[i].Blocked = t.Blocked.ID
		}
	}
	return map[string]any{"tabs": tabs}, nil
}

var openTab = &action{
	name:    "open_tab",
	line:    "open a url in a new tab, in the background unless focus; it becomes the current tab of the task.",
	schema:  takes("open_tab", need("url", text()), may("focus", flag())),
	tabless: true,
	effect:  true,
	do:      perform(doOpenTab),
}

func doOpenTab(r *run, a struct {
	URL   string `json:"url"`
	Focus bool   `json:"focus"`
}) (any, error) {
	address, err := r.target(a.URL)
	if err != nil {
		return nil, err
	}
	id, err := r.host.OpenPage(r.ctx, !a.Focus)
	if err != nil {
		return nil, err
	}
	r.tabID = id
	defer r.watch()()
	if tab, ok := r.host.State().Tab(id); ok {
		if err := r.sessions.act(tab); err != nil {
			return nil, err
		}
	}
	r.host.SetCurrent(id)
	out, err := r.load(address)
	if err != nil {
		return nil, err
	}
	if m, ok := out.(map[string]any); ok {
		m["tabId"] = id
	}
	return out, r.checkDomain()
}

var closeTab = &action{
	name:    "close_tab",
	line:    "close a tab.",
	schema:  takes("close_tab", need("tabId", text())),
	tabless: true,
	do:      perform(doCloseTab),
}

func doCloseTab(r *run, _ struct{}) (any, error) {
	if r.tabID == "" {
		return nil, fault.New(fault.InvalidAction, "close_tab: tabId is missing")
	}
	st := r.host.State()
	if _, ok := st.Tab(r.tabID); !ok {
		return nil, noTab(st, r.tabID)
	}
	if err := r.host.ClosePage(r.ctx, r.tabID); err != nil {
		return nil, err
	}
	r.sessions.drop(r.tabID)
	r.worlds.keep(r.host.State())
	return map[string]any{"closed": r.tabID}, nil
}
