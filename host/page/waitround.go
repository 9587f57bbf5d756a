package page

import (
	"context"
	"errors"
	"sync"
	"time"

	"cdphost/sdk/fault"
)

// absent tells a wait for an element that must not be there: it holds only when
// it holds in every frame.
func (a *waitArgs) absent() bool { return a.State == "hidden" || a.State == "detached" }

// waitFrames waits in all frames; documents and frames that come meanwhile are
// waited in as well.
func (r *run) waitFrames(ctx context.Context, a *waitArgs) (map[string]any, error) {
	if a.UID != "" {
		return r.waitUID(ctx, a)
	}
	for {
		changed := r.host.Changed()
		tab, err := r.tab()
		if err != nil {
			return nil, err
		}
		out, err := r.waitRound(ctx, changed, tab, a)
		if out != nil || err != nil {
			return out, err
		}
	}
}

// waitRound waits in the frames that the page has now. It returns nothing when
// they changed and the wait must begin anew.
func (r *run) waitRound(ctx context.Context, changed <-chan struct{}, tab *Tab, a *waitArgs) (map[string]any, error) {
	round, stop := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer stop()
	answers := make(chan waited, len(tab.Frames))
	for _, f := range tab.Frames {
		wg.Go(func() { answers <- r.waitIn(round, f, "", a.walkerArgs()) })
	}
	met := 0
	for {
		select {
		case w := <-answers:
			switch {
			case w.Why == "selector":
				return nil, fault.New(fault.InvalidAction, "%q is no CSS selector: %s", a.Selector, w.Message)
			case w.err != nil && gone(w.err), errors.Is(w.err, errOtherDocument), w.err == nil && !w.Met:
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
				return nil, r.settle(ctx)
			case w.err != nil:
				if w.frame.ParentID != "" && ctx.Err() == nil { // a frame that can't be asked shows nothing
					if met++; a.absent() && met == len(tab.Frames) {
						return map[string]any{"state": a.State}, nil
					}
					continue
				}
				return nil, w.err
			}
			if met++; a.absent() && met < len(tab.Frames) {
				continue
			}
			out := map[string]any{"state": a.State}
			if w.N != 0 {
				out["uid"] = r.uids.of(r.tabID, node{w.frame.ID, w.doc, w.N}, w.Role, w.Name, "")
			}
			return out, nil
		case <-changed:
			now, err := r.tab()
			if err != nil {
				return nil, err
			}
			if !sameFrames(tab.Frames, now.Frames) {
				return nil, nil
			}
			changed = r.host.Changed()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// settle gives a page whose documents just changed a moment to say so.
func (r *run) settle(ctx context.Context) error {
	t := time.NewTimer(20 * time.Millisecond)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func sameFrames(a, b []Frame) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].ID != b[i].ID || a[i].Session != b[i].Session || a[i].LoaderID != b[i].LoaderID {
			return false
		}
	}
	return true
}

// waited is what the walker's waitFor answers.
type waited struct {
	Met     bool   `json:"met"`
	N       int    `json:"n"`
	Role    string `json:"role"`
	Name    string `json:"name"`
	Why     string `json:"why"`
	Message string `json:"message"`

	frame Frame
	doc   string
	err   error
}

func (a *waitArgs) walkerArgs() map[string]any {
	args := map[string]any{"state": a.State}
	if a.Text != "" {
		args["text"] = a.Text
	} else {
		args["selector"] = a.Selector
	}
	return args
}

// waitIn waits in one frame until ctx ends, and then ends the wait in the page too.
func (r *run) waitIn(ctx context.Context, f Frame, doc string, args map[string]any) waited {
	id := r.worlds.waitID()
	args["id"] = id
	args["ms"] = maxTimeout.Milliseconds()
	if deadline, ok := ctx.Deadline(); ok {
		args["ms"] = time.Until(deadline).Milliseconds()
	}
	w := waited{frame: f}
	w.doc, w.err = r.ask(ctx, f, doc, "waitFor", args, &w)
	if ctx.Err() != nil && r.ctx.Err() == nil {
		brief, cancel := context.WithTimeout(r.ctx, time.Second)
		defer cancel()
		_, _ = r.ask(brief, f, "", "stop", map[string]any{"id": id}, nil) // it ends by itself later
	}
	return w
}
