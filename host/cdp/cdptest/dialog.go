package cdptest

import "slices"

// dialog is an open JavaScript dialog.
type dialog struct {
	page     *target
	frame    *Frame
	process  *process
	kind     string
	message  string
	preset   string            // default text of a prompt
	handlers map[*session]bool // who can answer it
	// before runs before the Closed event, after once the command that closed it was answered; both
	// may be nil.
	before func(accepted bool)
	after  func(accepted bool, text string)
}

// open shows a dialog, or waits until its process is free. A dialog of another process of the page
// that is showing is dismissed, and then Chrome lets nobody handle the new one.
func (d *dialog) open() {
	d.page, d.process = d.frame.page(), d.frame.target.process
	if d.process.dialog != nil {
		d.process.waiting = append(d.process.waiting, d.open)
		return
	}
	d.process.dialog = d
	d.handlers = map[*session]bool{}
	d.page.dialogs = append(d.page.dialogs, d)
	for _, ses := range d.page.sessions {
		if ses.on("Page") {
			d.handlers[ses] = true
		}
	}
	d.page.emit("Page.javascriptDialogOpening", M{
		"url": d.frame.url, "frameId": d.frame.id, "message": d.message, "type": d.kind,
		"hasBrowserHandler": true, "defaultPrompt": d.preset,
	})
	if first := d.page.shown; first != nil {
		d.page.shown = nil
		d.handlers = nil
		resume := first.shut(false, "")
		resume()
		return
	}
	d.page.shown = d
}

// shut closes a dialog and returns what goes on then.
func (d *dialog) shut(accepted bool, text string) (resume func()) {
	if !slices.Contains(d.page.dialogs, d) {
		return func() {}
	}
	if d.before != nil {
		d.before(accepted)
	}
	params := M{"frameId": d.frame.id, "result": accepted, "userInput": text}
	for _, ses := range d.page.sessions {
		if ses.on("Page") || d.page.awaits(ses, "Page.enable") {
			ses.event("Page.javascriptDialogClosed", params)
		}
	}
	d.page.dialogs = slices.DeleteFunc(d.page.dialogs, func(other *dialog) bool { return other == d })
	if d.page.shown == d {
		d.page.shown = nil
	}
	if d.process.dialog == d {
		d.process.dialog = nil
	}
	return func() {
		if d.after != nil {
			d.after(accepted, text)
		}
		d.page.s.free(d.process)
	}
}

// awaits tells whether a command of a session waits for the renderer.
func (t *target) awaits(ses *session, method string) bool {
	return slices.ContainsFunc(t.queue, func(q queued) bool { return q.ses == ses && q.req.Method == method })
}

// handleJavaScriptDialog is the method of the Page domain.
func handleJavaScriptDialog(ses *session, req *Request) Reply {
	var p struct {
		Accept     *bool  `json:"accept"`
		PromptText string `json:"promptText"`
	}
	if err := req.decode(&p); err != nil {
		return Reply{Err: err}
	}
	if p.Accept == nil {
		return Refuse(-32602, "Invalid parameters")
	}
	d := ses.target.shown
	if d == nil || !d.handlers[ses] {
		return Refuse(-32602, "No dialog is showing")
	}
	if ses.target.dialogOfGoneFrame() != nil {
		ses.target.s.die("dialog handled after the frame of one was removed")
		return NoReply
	}
	resume := d.shut(*p.Accept, p.PromptText)
	req.Answer(Result(nil))
	resume()
	return NoReply
}
