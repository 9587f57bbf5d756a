package link

import (
	"context"
	"errors"

	"cdphost/host/cdp"

	cdpdom "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
)

// undoLeft undoes what tasks of this link left behind while there was no
// connection, and, with others, what hosts that are gone have left in this
// browser. It comes before the link attaches to anything, so no session watches
// the dialogs of the pages that it ends, which is what makes that safe: a browser
// may crash when it closes the page of a watched iframe's dialog. What can't be
// undone stays recorded.
func (l *Link) undoLeft(ctx context.Context, conn *cdp.Conn, others bool) {
	l.mu.Lock()
	mine := l.leftovers
	l.leftovers = nil
	l.mu.Unlock()
	for _, it := range mine {
		if err := undo(ctx, conn, it); err != nil {
			l.leave(it)
			continue
		}
		l.journal.gone(it)
	}
	if others && l.journal != nil {
		l.undoOthers(ctx, conn)
	}
}

// leave keeps an item for the next attachment.
func (l *Link) leave(it item) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.leftovers = append(l.leftovers, it)
}

func (l *Link) undoOthers(ctx context.Context, conn *cdp.Conn) {
	journals := abandonedIn(l.journal.dir)
	if len(journals) == 0 {
		return
	}
	here, err := itemsOf(ctx, conn)
	if err != nil {
		l.opts.Logger.Debug("what other hosts left could not be looked for", "error", err)
	}
	tag := browserTag(l.browser.url)
	for _, a := range journals {
		left, failed := len(a.items), err != nil
		for _, it := range a.items {
			if !here[it] {
				continue
			}
			if err := undo(ctx, conn, it); err != nil {
				failed = true
				continue
			}
			left--
			l.opts.Logger.Info("removed what a host that is gone has left in the browser", "kind", it.Kind, "id", it.ID)
		}
		if !failed && (left == 0 || a.tag == tag) {
			a.done()
		} else {
			a.leave()
		}
	}
}

// itemsOf lists the browser contexts and the pages of a browser.
func itemsOf(ctx context.Context, conn *cdp.Conn) (map[item]bool, error) {
	ids, err := contextsOf(ctx, conn)
	if err != nil {
		return nil, err
	}
	here := map[item]bool{}
	for _, id := range ids {
		here[item{itemContext, id}] = true
	}
	raw, err := conn.Call(ctx, cdp.Command{Method: target.CommandGetTargets}, cdp.WithControl())
	if err != nil {
		return nil, err
	}
	var r target.GetTargetsResult
	if err := cdp.Unmarshal(raw, &r); err != nil {
		return nil, err
	}
	for _, t := range r.TargetInfos {
		here[item{itemPage, string(t.TargetID)}] = true
	}
	return here, nil
}

func contextsOf(ctx context.Context, conn *cdp.Conn) ([]string, error) {
	raw, err := conn.Call(ctx, cdp.Command{Method: target.CommandGetBrowserContexts}, cdp.WithControl())
	if err != nil {
		return nil, err
	}
	var r target.GetBrowserContextsResult
	if err := cdp.Unmarshal(raw, &r); err != nil {
		return nil, err
	}
	ids := make([]string, len(r.BrowserContextIDs))
	for i, id := range r.BrowserContextIDs {
		ids[i] = string(id)
	}
	return ids, nil
}

// undo ends one item. What the browser refuses is gone already.
func undo(ctx context.Context, conn *cdp.Conn, it item) error {
	_, err := conn.Call(ctx, undoing(it), cdp.WithControl())
	var refused *cdp.Error
	if errors.As(err, &refused) {
		return nil
	}
	return err
}

func undoing(it item) cdp.Command {
	if it.Kind == itemContext {
		return command("", target.CommandDisposeBrowserContext,
			&target.DisposeBrowserContextParams{BrowserContextID: cdpdom.BrowserContextID(it.ID)})
	}
	return command("", target.CommandCloseTarget, &target.CloseTargetParams{TargetID: target.ID(it.ID)})
}
