package cdptest

// Page is a page of a mock browser, in the hands of a test: what its scripts and its user do.
type Page struct {
	s *Server
	t *target
}

// Pages returns the pages that are open, in the order in which they opened.
func (s *Server) Pages() []*Page {
	s.mu.Lock()
	defer s.mu.Unlock()
	var pages []*Page
	for _, t := range s.targets {
		if t.kind == kindPage {
			pages = append(pages, &Page{s, t})
		}
	}
	return pages
}

// Page returns a page by the id of its target, nil when there is none.
func (s *Server) Page(targetID string) *Page {
	for _, p := range s.Pages() {
		if p.t.id == targetID {
			return p
		}
	}
	return nil
}

// OpenPage opens a page as a user does who opens a tab. contextID "" is the default browser context;
// an unknown one panics.
func (s *Server) OpenPage(url, contextID string) *Page {
	s.mu.Lock()
	defer s.mu.Unlock()
	ctx := s.contexts[0]
	if contextID != "" {
		if ctx = s.context(contextID); ctx == nil {
			panic("cdptest: no browser context " + contextID)
		}
	}
	return &Page{s, s.openPage(ctx, url, nil)}
}

// TargetID returns the id of the page's target.
func (p *Page) TargetID() string { return p.t.id }

// ContextID returns the id of the page's browser context.
func (p *Page) ContextID() string { return p.t.context.id }

// Top returns the page's top frame.
func (p *Page) Top() *Frame { return p.t.root }

// Frame returns a frame of the page by id, nil when there is none.
func (p *Page) Frame(id string) *Frame {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	var find func(f *Frame) *Frame
	find = func(f *Frame) *Frame {
		if f.id == id {
			return f
		}
		for _, child := range f.children {
			if found := find(child); found != nil {
				return found
			}
		}
		return nil
	}
	return find(p.t.root)
}

// Sessions returns the ids of the sessions attached to the page, of all clients.
func (p *Page) Sessions() []string {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	var ids []string
	for _, ses := range p.t.sessions {
		ids = append(ids, ses.id)
	}
	return ids
}

// Paused tells whether the page waits for a debugger.
func (p *Page) Paused() bool {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	return p.t.hold != nil
}

// SetTitle lets the page change its title.
func (p *Page) SetTitle(title string) {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	p.t.title = title
	p.t.infoChanged()
}

// Touch lets a user act on the page, so that its beforeunload handler counts.
func (p *Page) Touch() {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	p.t.gesture = true
}

// Emit sends an event on the page's sessions that have its domain enabled.
func (p *Page) Emit(method string, params any) { p.t.root.Emit(method, params) }

// Crash ends the page's renderer.
func (p *Page) Crash() {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	p.t.crash()
}

// Destroy closes the page as its user would, without asking it.
func (p *Page) Destroy() {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	p.t.destroy()
}

// OpenDialog lets the page's top frame open a dialog, see [Frame.OpenDialog].
func (p *Page) OpenDialog(kind, message, preset string) *Dialog {
	return p.t.root.OpenDialog(kind, message, preset)
}

// Navigate takes the page somewhere as its user or script would.
func (p *Page) Navigate(url string) { p.t.root.Navigate(url) }
