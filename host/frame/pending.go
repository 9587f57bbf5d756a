package frame

import (
	"github.com/chromedp/cdproto/cdp"
)

// A navigation to another process makes a target before it shows anything. Until
// then the frame's document is the one in its parent's process, and when the
// navigation is given up, as by window.stop or by another one that overtakes it, the
// target goes and no event says that the frame stays. So that state is kept aside.

// commit takes f as shown by its own process from now on.
func (t *Table) commit(f *Frame) *Frame {
	if f.before == nil {
		return f
	}
	t.forgetContexts(f.before)
	return t.update(f, func(f *Frame) { f.before = nil })
}

// giveUp takes f back to where it was.
func (t *Table) giveUp(f *Frame) {
	for key, ref := range t.contexts {
		if ref.frame == f.ID && ref.session == f.SessionID {
			delete(t.contexts, key)
		}
	}
	t.update(f, func(f *Frame) {
		parent := f.ParentID
		*f = *f.before
		f.ParentID = parent
	})
}

// aside changes what f goes back to.
func (t *Table) aside(f *Frame, edit func(*Frame)) {
	t.update(f, func(f *Frame) {
		b := *f.before
		edit(&b)
		f.before = &b
	})
}

// isEmpty reports whether a process has nothing to show yet.
func isEmpty(info *cdp.Frame) bool {
	return info.URL == "" || info.URL == ":" || info.URL == blank
}
