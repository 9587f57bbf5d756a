package cdptest

// Dialog is a dialog that a test let a page open.
type Dialog struct {
	s    *Server
	d    *dialog
	done chan struct{}
	// Accepted and Text are what the page got; they may be read once Done is closed.
	Accepted bool
	Text     string
}

// OpenDialog lets the frame's script open a dialog; kind is alert, confirm, prompt or beforeunload. It
// opens later when another one blocks the frame's process.
func (f *Frame) OpenDialog(kind, message, preset string) *Dialog {
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	out := &Dialog{s: f.s, done: make(chan struct{})}
	out.d = &dialog{frame: f, kind: kind, message: message, preset: preset, after: func(accepted bool, text string) {
		out.Accepted, out.Text = accepted, text
		close(out.done)
	}}
	out.d.open()
	return out
}

// Done is closed when the dialog's function has returned to the page. It is never closed when the
// page goes away before.
func (d *Dialog) Done() <-chan struct{} { return d.done }

// Close answers the dialog as another client or the browser's user would.
func (d *Dialog) Close(accept bool, text string) {
	d.s.mu.Lock()
	defer d.s.mu.Unlock()
	if d.d.page != nil {
		d.d.shut(accept, text)()
	}
}
