package capture

import (
	"context"
	"errors"

	"cdphost/host/cdp"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
)

// A page that is made with its url runs before what is set up on it is in force: of
// 150 pages, 4 to 7 missed their init scripts. So Target.createTarget with a url
// makes a blank page, and sends it to the url once its set-up was acknowledged.

const blank = "about:blank"

// blankFirst takes the url out of a Target.createTarget, "" when there is none to go
// to later. A target of the kind tab is no page that could be sent anywhere.
func blankFirst(cmd *cdp.Command) (url string) {
	if cmd.Method != target.CommandCreateTarget {
		return ""
	}
	p := fieldsOf(cmd.Params)
	url = p.text("url")
	if url == "" || clean(url) == blank || string(p["forTab"]) == "true" {
		return ""
	}
	cmd.Params = p.set("url", blank)
	return url
}

// newPage completes a Target.createTarget whose page is there. On an error there is
// none any more.
func (h *Handle) newPage(ctx context.Context, targetID, url string) error {
	if url == "" && h.sup.ContextID() != "" {
		return nil // its context tells whose it is
	}
	p, err := h.sup.Made(ctx, targetID)
	if err == nil && url != "" {
		err = h.goTo(ctx, p, url)
	}
	if err == nil {
		return nil
	}
	h.takeBack("target " + targetID)
	if h.ctx.Err() != nil {
		return context.Cause(h.ctx)
	}
	return err
}

// errOnItsWay ends the wait for a navigation that has begun.
var errOnItsWay = errors.New("on its way")

// goTo sends a new page to its url: as a navigation that validators see, and
// without waiting for its document, as Target.createTarget does not either.
func (h *Handle) goTo(ctx context.Context, p *supervisor.Page, url string) error {
	if p.SessionID == "" {
		return fault.New(fault.BrowserGone, "the new page could not be set up, and was closed again")
	}
	ctx, cancel := context.WithCancelCause(ctx)
	started := h.sup.Subscribe(supervisor.Filter{Methods: []string{page.FrameStartedNavigating.Method}, SessionID: p.SessionID}, 16)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		for ev := range started.C {
			if cdpText(ev.Params, "frameId") == p.TargetID && cdpText(ev.Params, "url") != blank {
				cancel(errOnItsWay)
			}
		}
	}()
	defer func() {
		started.Close()
		<-watched
		cancel(nil)
	}()
	cmd := Command{SessionID: p.SessionID, Method: page.CommandNavigate, Params: cdp.Marshal(&page.NavigateParams{URL: url})}
	_, _, err := h.judged(ctx, &cmd, &callOptions{})
	var f *fault.Error
	if errors.Is(context.Cause(ctx), errOnItsWay) && errors.As(err, &f) && f.Details["sent"] == true {
		return nil
	}
	return err
}

// takeBack undoes what the handle made, unless its release has done so.
func (h *Handle) takeBack(what string) {
	h.mu.Lock()
	var undo []func()
	for _, c := range h.made {
		if c.what == what {
			undo = append(undo, c.undo)
		}
	}
	h.mu.Unlock()
	if len(undo) == 0 {
		return
	}
	h.forget("", what)
	for _, f := range undo {
		f()
	}
}
