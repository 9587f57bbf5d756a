package page

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"cdphost/sdk/fault"
)

// actionWait is how long an element may take to get fit for an action: shown,
// enabled, at rest.
const actionWait = 5 * time.Second

// located is an element that an action found.
type located struct {
	frame Frame
	doc   string
	uid   string

	N        int     `json:"n"`
	X        float64 `json:"x"` // in the frame's viewport
	Y        float64 `json:"y"`
	Tag      string  `json:"tag"`
	Type     string  `json:"type"`
	Role     string  `json:"role"`
	Name     string  `json:"name"`
	Editable bool    `json:"editable"`
	Rich     bool    `json:"rich"`
	Leaves   bool    `json:"leaves"` // a press may leave the document
	Opens    bool    `json:"opens"`  // a press may open a tab
	Why      string  `json:"why"`
	Cover    string  `json:"cover"`
	Message  string  `json:"message"`
}

// What an action needs an element to be.
const (
	shown    = "shown"
	enabled  = "enabled"
	writable = "editable"
	point    = "point"
)

// locate finds an element and waits until it is fit for what is needed.
func (r *run) locate(el element, need ...string) (*located, error) {
	if err := el.check(); err != nil {
		return nil, err
	}
	tab, err := r.tab()
	if err != nil {
		return nil, err
	}
	if need == nil {
		need = []string{}
	}
	if el.UID != "" {
		return r.locateUID(tab, el.UID, need)
	}
	return r.locateSelector(tab, el.Selector, need)
}

func (r *run) patience() time.Duration {
	wait := actionWait
	if deadline, ok := r.ctx.Deadline(); ok {
		wait = min(wait, time.Until(deadline)-200*time.Millisecond)
	}
	return max(wait, 0)
}

func (r *run) locateUID(tab *Tab, uid string, need []string) (*located, error) {
	k, ok, given := r.uids.find(uid)
	switch {
	case !ok && given:
		return nil, r.stale(tab, &known{uid: uid}, "navigated")
	case !ok:
		return nil, fault.New(fault.ElementNotFound, "no element was ever called %s; extract and use a uid from there", uid)
	case k.tab != tab.ID:
		return nil, fault.New(fault.ElementNotFound, "%s is on tab %s; give tabId %s", uid, k.tab, k.tab)
	}
	f, ok := tab.Frame(k.frame)
	if !ok {
		return nil, r.stale(tab, &k, "frame gone")
	}
	l := &located{frame: f, doc: k.doc, uid: uid}
	args := map[string]any{"n": k.n, "need": need, "ms": r.patience().Milliseconds()}
	_, err := r.ask(r.ctx, f, k.doc, "ready", args, l)
	switch {
	case errors.Is(err, errOtherDocument):
		return nil, r.stale(tab, &k, "navigated")
	case left(err) && f.ParentID != "":
		return nil, r.stale(tab, &k, "frame gone")
	case err != nil:
		return nil, err
	}
	if l.Why == "removed" {
		return nil, r.stale(tab, &k, "removed")
	}
	return l, r.unfit(l, uid)
}

// locateSelector looks in all frames, the top one first, and waits for the
// element to be there.
func (r *run) locateSelector(tab *Tab, selector string, need []string) (*located, error) {
	end := time.Now().Add(r.patience())
	name := "selector " + selector
	for round := 0; ; round++ {
		for _, f := range tab.Frames {
			l, err := r.tryFrame(f, selector, need, 0)
			if err != nil {
				if errors.Is(r.ctx.Err(), context.DeadlineExceeded) {
					return nil, absent(name)
				}
				if f.ParentID == "" && !errors.Is(err, errOtherDocument) {
					return nil, err
				}
				continue
			}
			switch l.Why {
			case "not_found":
				continue
			case "":
				return l, nil
			case "selector":
				return nil, fault.New(fault.InvalidAction, "%q is no CSS selector: %s", selector, l.Message)
			}
			if l, err = r.tryFrame(f, selector, need, time.Until(end)); err != nil {
				return nil, err
			}
			if l.Why != "not_found" && l.Why != "removed" {
				return l, r.unfit(l, name)
			}
		}
		if round == 0 && r.discover(tab.Frames) {
			continue
		}
		if time.Now().After(end) {
			return nil, absent(name)
		}
		if err := r.pause(50 * time.Millisecond); err != nil {
			return nil, err
		}
		var err error
		if tab, err = r.tab(); err != nil {
			return nil, err
		}
	}
}

func absent(name string) error {
	return fault.New(fault.ElementNotFound, "nothing matches %s in any frame; extract and look", name)
}

func (r *run) tryFrame(f Frame, selector string, need []string, wait time.Duration) (*located, error) {
	ctx := r.ctx
	if f.ParentID != "" {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(r.ctx, wait+frameTimeout)
		defer cancel()
	}
	l := &located{frame: f}
	args := map[string]any{"selector": selector, "need": need, "ms": max(wait.Milliseconds(), 0)}
	doc, err := r.ask(ctx, f, "", "ready", args, l)
	l.doc = doc
	return l, err
}

// pause waits, but not beyond the action's end.
func (r *run) pause(d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-r.ctx.Done():
		return context.Cause(r.ctx)
	}
}

// unfit tells why an element that is there can't be acted on.
func (r *run) unfit(l *located, name string) error {
	switch l.Why {
	case "":
		return nil
	case "obscured":
		return obscured(l.Cover)
	case "hidden":
		return fault.New(fault.Timeout, "%s is there but not visible, and stayed so; extract and look", name)
	case "disabled":
		return fault.New(fault.Timeout, "%s is disabled, and stayed so; see what the page asks for first", name)
	case "readonly":
		return fault.New(fault.Timeout, "%s is read-only, and stayed so", name)
	case "outside":
		return fault.New(fault.ElementObscured, "%s lies outside what can be scrolled into view", name)
	}
	return fault.New(fault.InternalError, "%s: %s", name, l.Why)
}

// handle returns the uid of a located element.
func (r *run) handle(l *located) string {
	if l.uid == "" {
		l.uid = r.uids.of(r.tabID, node{l.frame.ID, l.doc, l.N}, l.Role, l.Name, "")
	}
	return l.uid
}

// told asks the walker about a located element; a document that went away makes
// the element stale.
func (r *run) told(l *located, method string, args map[string]any, out any) error {
	args["n"] = l.N
	_, err := r.ask(r.ctx, l.frame, l.doc, method, args, out)
	switch {
	case errors.Is(err, errOtherDocument):
		return fault.New(fault.ElementStale, "the page navigated while %s was carried out; extract again", r.action.name).With("cause", "navigated")
	case left(err) && l.frame.ParentID != "":
		return fault.New(fault.ElementStale, "the frame went away while %s was carried out; extract again", r.action.name).With("cause", "frame gone")
	case err != nil:
		return fmt.Errorf("%s of %s: %w", method, l.Tag+"#"+strconv.Itoa(l.N), err)
	}
	return nil
}
