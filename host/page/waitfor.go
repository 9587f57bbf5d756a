package page

import (
	"context"
	"errors"
	"path"
	"strings"
	"sync"
	"time"

	"cdphost/sdk/fault"
)

var waitFor = &action{
	name: "wait_for",
	line: "wait for exactly one of uid, selector, text (shown on the page) or url (part of it, or a pattern with *). state: visible (default), hidden, attached, detached, enabled, disabled. timeout in s.",
	schema: takes("wait_for", onElement(may("text", text("")), may("url", text("")),
		may("state", oneOf("", states...)), may("timeout", number("")))...),
	do: perform(doWaitFor),
}

var states = []string{"visible", "hidden", "attached", "detached", "enabled", "disabled"}

// waitTimeout is how long wait_for waits when it is not told.
const waitTimeout = 10 * time.Second

type waitArgs struct {
	element
	Text    string   `json:"text"`
	URL     string   `json:"url"`
	State   string   `json:"state"`
	Timeout *float64 `json:"timeout"`
}

func (a *waitArgs) check() error {
	given := 0
	for _, s := range []string{a.UID, a.Selector, a.Text, a.URL} {
		if s != "" {
			given++
		}
	}
	if given != 1 {
		return fault.New(fault.InvalidAction, "wait_for takes exactly one of uid, selector, text and url")
	}
	if a.State == "" {
		a.State = "visible"
	}
	known := false
	for _, s := range states {
		known = known || s == a.State
	}
	switch {
	case !known:
		return fault.New(fault.InvalidAction, "there is no state %q; use %s", a.State, strings.Join(states, ", "))
	case a.Text != "" && (a.State == "enabled" || a.State == "disabled"):
		return fault.New(fault.InvalidAction, "a text is never %s; use visible or hidden", a.State)
	case a.Timeout != nil && (*a.Timeout <= 0 || *a.Timeout > maxTimeout.Seconds()):
		return fault.New(fault.InvalidAction, "timeout is in seconds, more than 0 and at most %v", maxTimeout.Seconds())
	}
	return nil
}

func (a *waitArgs) String() string {
	switch {
	case a.Text != "":
		return "text " + quote(a.Text)
	case a.URL != "":
		return "url " + a.URL
	}
	return a.element.String()
}

func doWaitFor(r *run, a waitArgs) (any, error) {
	if err := a.check(); err != nil {
		return nil, err
	}
	start := time.Now()
	wait := waitTimeout
	if a.Timeout != nil {
		wait = seconds(*a.Timeout)
	}
	if deadline, ok := r.ctx.Deadline(); ok {
		wait = min(wait, time.Until(deadline)-100*time.Millisecond)
	}
	ctx, cancel := context.WithTimeout(r.ctx, max(wait, 0))
	defer cancel()
	var (
		out map[string]any
		err error
	)
	if a.URL != "" {
		out, err = r.waitURL(ctx, a.URL, a.State == "hidden" || a.State == "detached")
	} else {
		out, err = r.waitFrames(ctx, &a)
	}
	switch {
	case err == nil:
		out["waited_ms"] = time.Since(start).Milliseconds()
		return out, nil
	case r.ctx.Err() != nil:
		return nil, context.Cause(r.ctx)
	case ctx.Err() != nil:
		return nil, fault.New(fault.Timeout, "%s was not %s within %v; extract and look, do not repeat the wait", a.String(), a.State, wait.Round(time.Millisecond))
	}
	return nil, err
}

func (r *run) waitURL(ctx context.Context, pattern string, gone bool) (map[string]any, error) {
	for {
		changed := r.host.Changed()
		if tab, ok := r.host.State().Tab(r.tabID); ok && matchURL(pattern, tab.URL) != gone {
			return map[string]any{"url": tab.URL}, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// matchURL tells whether a url is as wanted: it contains the text, or the whole
// of it matches a pattern in which * stands for anything.
func matchURL(pattern, url string) bool {
	if !strings.Contains(pattern, "*") {
		return strings.Contains(url, pattern)
	}
	// path.Match stops at slashes, which mean nothing here.
	flat := strings.NewReplacer("/", "\x00", "?", "\x01", "[", "\x02", "]", "\x03", "\\", "\x04")
	ok, err := path.Match(flat.Replace(pattern), flat.Replace(url))
	return err == nil && ok
}

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

func (r *run) waitUID(ctx context.Context, a *waitArgs) (map[string]any, error) {
	tab, err := r.tab()
	if err != nil {
		return nil, err
	}
	k, ok, _ := r.uids.find(a.UID)
	if !ok {
		_, err := r.locateUID(tab, a.UID, nil)
		return nil, err
	}
	f, ok := tab.Frame(k.frame)
	if !ok {
		if a.absent() {
			return map[string]any{"state": a.State}, nil
		}
		return nil, r.stale(tab, &k, "frame gone")
	}
	w := r.waitIn(ctx, f, k.doc, map[string]any{"state": a.State, "n": k.n})
	switch {
	case errors.Is(w.err, errOtherDocument) || gone(w.err):
		if a.absent() {
			return map[string]any{"state": a.State, "cause": "navigated"}, nil
		}
		return nil, r.stale(tab, &k, "navigated")
	case w.err != nil:
		return nil, w.err
	case !w.Met:
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return map[string]any{"state": a.State, "uid": a.UID}, nil
}
