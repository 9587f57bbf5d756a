package page

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"cdphost/sdk/fault"
)

var navigate = &action{
	name:   "navigate",
	line:   "load a url in the tab and wait for it.",
	schema: takes("navigate", onTab(need("url", text()))...),
	anyway: true,
	effect: true,
	ended:  func(raw json.RawMessage) (any, error) { return nil, navigated(raw) },
	do:     perform(doNavigate),
}

func doNavigate(r *run, a struct {
	URL string `json:"url"`
}) (any, error) {
	address, err := r.target(a.URL)
	if err != nil {
		return nil, err
	}
	return r.load(address)
}

// framesTime is how long after a load a page that had crashed may be without frames.
const framesTime = 2 * time.Second

// load sends the action's page to an address and waits until it is loaded.
func (r *run) load(address string) (any, error) {
	st := r.host.State()
	tab, ok := st.Tab(r.tabID)
	if !ok {
		return nil, noTab(st, r.tabID)
	}
	raw, err := r.call(tab.Session, "Page.navigate", map[string]any{"url": address})
	if left(err) && tab.Crashed { // the late news of the crash failed the call, not the navigation
		raw, err = json.RawMessage(`{"loaderId":"?"}`), nil
	}
	if err != nil {
		return nil, err
	}
	if err := navigated(raw); err != nil {
		return nil, err
	}
	var reply struct {
		LoaderID   string `json:"loaderId"`
		IsDownload bool   `json:"isDownload"`
	}
	if err := json.Unmarshal(raw, &reply); err != nil {
		return nil, err
	}
	if reply.IsDownload {
		return map[string]any{"url": tab.URL, "download": address}, nil
	}
	r.await(maxTimeout, func(st *State) bool {
		now, ok := st.Tab(r.tabID)
		switch {
		case !ok:
			return true
		case reply.LoaderID == "": // within the document
			return true
		case now.LoaderID == reply.LoaderID:
			return now.Loaded || !now.Loading
		}
		return now.LoaderID != tab.LoaderID && now.Loaded // another navigation took over
	})
	if r.ctx.Err() != nil {
		return nil, context.Cause(r.ctx)
	}
	return r.whereabouts()
}

// whereabouts tells url and title; the title is the document's own, because the
// browser's lags behind.
func (r *run) whereabouts() (any, error) {
	r.await(framesTime, func(st *State) bool {
		tab, ok := st.Tab(r.tabID)
		return !ok || len(tab.Frames) > 0
	})
	tab, err := r.tab()
	if err != nil {
		return nil, err
	}
	var about struct {
		URL   string `json:"url"`
		Title string `json:"title"`
	}
	if _, err := r.ask(r.ctx, tab.Top(), "", "about", nil, &about); err != nil {
		return nil, err
	}
	return map[string]any{"url": about.URL, "title": about.Title}, nil
}

// navigated turns the reply to Page.navigate into the error that it stands for.
func navigated(raw json.RawMessage) error {
	var reply struct {
		ErrorText  string `json:"errorText"`
		IsDownload bool   `json:"isDownload"`
	}
	if err := json.Unmarshal(raw, &reply); err != nil {
		return err
	}
	switch {
	case reply.ErrorText == "" || reply.IsDownload:
		return nil
	case strings.Contains(reply.ErrorText, "ERR_ABORTED"):
		return fault.New(fault.NavigationFailed, "the navigation was cancelled (%s): by the page, by a dismissed beforeunload dialog, or because it is a download", reply.ErrorText)
	}
	return fault.New(fault.NavigationFailed, "the page could not be loaded: %s; check the url", reply.ErrorText)
}
