package tool

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"cdphost/host/dialog"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// navigation is one Page.navigate and the wait for what it leads to.
type navigation struct {
	task  Task
	tabID string
	url   string
	wait  string

	session  string
	loader   string // of the document before
	started  time.Time
	document string // loader of the new document; "" for the same document
	freed    string // the dialog that nobody can answer and that the navigation ends
}

// navigateResult is the reply of Page.navigate.
type navigateResult struct {
	LoaderID   string `json:"loaderId"`
	ErrorText  string `json:"errorText"`
	IsDownload bool   `json:"isDownload"`
}

// run navigates and waits. A dialog that opens meanwhile is no error: the wait
// ends.
func (n *navigation) run(ctx context.Context, timeout time.Duration) error {
	s := n.task.Snapshot()
	p, err := pageOf(s, n.tabID)
	if err != nil {
		return err
	}
	if d, blocked := s.Blocked(n.tabID); blocked {
		if d.State != dialog.Orphaned {
			return blockedError(s, d, false)
		}
		n.freed = d.ID
	}
	n.session, n.loader, n.started = p.SessionID, p.LoaderID, time.Now()
	timed, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	err = n.attempt(timed, p.Crashed)
	switch {
	case errors.Is(err, fault.BlockedByDialog):
		return nil
	case err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
		return n.late(timeout)
	}
	return err
}

// attempt sends the command and waits, unless the page stops answering.
func (n *navigation) attempt(ctx context.Context, crashed bool) error {
	work := func(ctx context.Context) error {
		if err := n.send(ctx); err != nil || n.wait == waitNone || n.document == "" {
			return err
		}
		return watch(ctx, n.task, n.arrived)
	}
	if crashed { // a navigation is what brings a crashed page back
		return work(ctx)
	}
	return during(ctx, n.task, n.tabID, n.session, n.freed, work)
}

func (n *navigation) send(ctx context.Context) error {
	raw, err := n.task.Call(ctx, n.session, "Page.navigate", map[string]any{"url": n.url}, nil)
	if err != nil {
		return cdpFault(ctx, "Page.navigate", err)
	}
	var res navigateResult
	if err := json.Unmarshal(raw, &res); err != nil {
		return fault.Wrap(err, fault.NavigationFailed, "The browser's reply to Page.navigate could not be read.")
	}
	if res.ErrorText != "" {
		return n.refused(res)
	}
	n.document = res.LoaderID
	return nil
}

// refused turns the browser's error text into what an agent can do about it.
func (n *navigation) refused(res navigateResult) error {
	const aborted = "net::ERR_ABORTED"
	if res.ErrorText != aborted {
		return fault.New(fault.NavigationFailed, "%s could not be opened: %s.", n.url, res.ErrorText).With("error_text", res.ErrorText)
	}
	s := n.task.Snapshot()
	for i := len(s.Recent) - 1; i >= 0; i-- {
		d := &s.Recent[i]
		if d.TabID == n.tabID && d.Type == dialog.BeforeUnload && d.Action == dialog.Dismiss && !d.ClosedAt.Before(n.started) {
			return fault.New(fault.NavigationCancelled,
				"The page asked whether to leave (dialog %s) and the answer was to stay (by %s). Navigate again and accept the dialog to leave.",
				d.ID, d.ClosedBy).With("dialog", d)
		}
	}
	if res.IsDownload {
		return fault.New(fault.NavigationFailed, "%s is a download, not a page; the page shown has not changed.", n.url).With("error_text", aborted)
	}
	return fault.New(fault.NavigationFailed,
		"The navigation to %s was aborted: it has no page to show, or another navigation replaced it. Call browser_snapshot to see where the page is.", n.url).
		With("error_text", aborted)
}

// arrived reports whether the page is where the caller wants to wait for. A
// document that has replaced ours counts as ours: the page moved on by itself.
func (n *navigation) arrived(s *supervisor.Snapshot) (bool, error) {
	p, ok := s.Page(n.tabID)
	if !ok {
		return false, gone(s, n.tabID)
	}
	committed := p.LoaderID == n.document || p.LoaderID != n.loader
	if !committed || n.wait == waitCommit {
		return committed, nil
	}
	return p.LoadedLoader == p.LoaderID || !p.Loading, nil
}

// late says how far the navigation came.
func (n *navigation) late(timeout time.Duration) error {
	s := n.task.Snapshot()
	p, ok := s.Page(n.tabID)
	if ok && n.document != "" && p.LoaderID != n.loader {
		return fault.New(fault.Timeout, "%s is shown but has not finished loading in %s. It may be usable: call browser_snapshot instead of waiting again.",
			p.URL, timeout).With("url", p.URL).With("committed", true)
	}
	return fault.New(fault.Timeout, "The server of %s has not answered in %s. The page shown has not changed.", n.url, timeout).
		With("committed", false)
}
