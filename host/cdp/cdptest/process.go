package cdptest

// process is a renderer's main thread.
type process struct {
	dialog  *dialog  // what blocks it
	waiting []func() // dialogs that its pages will open when it goes on
}

// busy tells whether the target's renderer answers nothing now.
func (t *target) busy() bool {
	return t.crashed || t.unloaded || t.process.dialog != nil || t.hold != nil && t.hold.stalls
}

// drain runs the commands that waited for the renderer, until one of them blocks it again.
func (t *target) drain() {
	for len(t.queue) > 0 && !t.busy() {
		q := t.queue[0]
		t.queue = t.queue[1:]
		q.ses.answer(q.req, methods[q.req.Method].run(q.ses, q.req))
	}
}

// free lets a process go on after a dialog.
func (s *Server) free(p *process) {
	for p.dialog == nil && len(p.waiting) > 0 {
		next := p.waiting[0]
		p.waiting = p.waiting[1:]
		next()
	}
	for _, t := range append([]*target(nil), s.targets...) {
		if t.process == p {
			t.drain()
		}
	}
}

// processFor returns the process for a document of a site in a frame: a page shares one with the
// pages of its browsing context group, frames of a site share one in the whole context.
func (s *Server) processFor(f *Frame, site string) *process {
	group := f.page().group
	if f.parent != nil {
		group = f.page().context.id
	}
	for _, t := range s.targets {
		if t.root == nil || t.root == f || t.kind == kindUI || siteOf(t.root.url) != site {
			continue
		}
		other := t.group
		if t.kind == kindIframe {
			other = t.context.id
		}
		if other == group {
			return t.process
		}
	}
	return &process{}
}
