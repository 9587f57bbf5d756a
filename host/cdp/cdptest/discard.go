package cdptest

import "slices"

// Discard lets the browser discard the page to save memory, as an extension may ask it to
// though clients are attached, and returns the page that is in its place: it has no
// renderer until it is navigated or reloaded.
func (p *Page) Discard() *Page {
	s, old := p.s, p.t
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, d := range slices.Clone(old.dialogs) {
		d.after = nil // whoever waits for a page that goes away is never answered
		d.shut(false, "")()
	}
	for _, ses := range old.sessions {
		ses.event("Inspector.detached", M{"reason": "Render process gone."})
	}
	t := s.newPage(old.context, old.url, nil)
	t.title, t.unloaded = old.title, true
	t.root.url = old.url
	t.announce(&hold{start: func() {}})
	old.destroy()
	return &Page{s: s, t: t}
}
