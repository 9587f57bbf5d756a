package tool

import (
	"context"
	"errors"
	"strings"
	"time"

	"cdphost/host/cdp"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// frameGrace is how long after a call's end the events may come that tell why: the
// browser fails the calls of a document before it tells of the next one. On a busy
// machine that can take more than a second.
const frameGrace = 3 * time.Second

// What became of a frame while a command ran in it; frame_change of an error.
const (
	frameGone      = "gone"
	frameNavigated = "navigated"
	frameCrashed   = "crashed"
	frameMoved     = "moved"
	frameReplaced  = "replaced" // its document is, and no event has told by what
)

// interrupted returns err with what became of the command's frame while it was in
// flight, and err itself when the frame is as it was.
func (d *destination) interrupted(ctx context.Context, t Task, method string, err error) error {
	e, ok := errors.AsType[*fault.Error](err)
	if !ok || d.frame.ID == "" {
		return err
	}
	certain := e.Code == fault.SentNoReply || documentGone(e)
	if !certain && e.Code != fault.CDPError && e.Code != fault.SessionNotFound && e.Code != fault.NotSent {
		return err
	}
	change, url := d.change(t.Snapshot())
	if certain && (change == "" || change == frameMoved) {
		ctx, cancel := context.WithTimeout(ctx, frameGrace)
		defer cancel()
		// Without the event in time, what is known stands.
		_ = watch(ctx, t, func(s *supervisor.Snapshot) (bool, error) {
			change, url = d.change(s)
			return change != "" && change != frameMoved, nil
		})
	}
	if change == "" && documentGone(e) {
		change = frameReplaced
	}
	if change == "" {
		return err
	}
	return d.explain(e, method, change, url)
}

// explain words an error around a frame that changed.
func (d *destination) explain(e *fault.Error, method, change, url string) error {
	what := map[string]string{
		frameGone:      "went away",
		frameNavigated: "navigated to " + clipURL(url),
		frameCrashed:   "crashed",
		frameMoved:     "is moving to another process",
		frameReplaced:  "navigated or went away",
	}[change]
	code, sent := e.Code, e.Code == fault.SentNoReply || e.Code == fault.CDPError
	text := "%s was not sent: the frame %s %s meanwhile. Look with browser_snapshot, then try again."
	switch {
	case sent && e.Code == fault.CDPError && !documentGone(e):
		return fault.Wrap(e, code, "%s. The frame %s %s meanwhile.", strings.TrimSuffix(e.Message, "."), d.frame.ID, what).
			With("frame_id", d.frame.ID).With("frame_change", change)
	case sent:
		code = fault.SentNoReply
		text = "%s was sent, but the frame %s %s before it ended, so there is no result. It may have been carried out in part; look with browser_snapshot before you repeat it."
	case change == frameGone:
		code = fault.FrameNotFound
	}
	return fault.Wrap(e, code, text, method, d.frame.ID, what).With("frame_id", d.frame.ID).With("frame_change", change)
}

// change compares the frame with what it is now.
func (d *destination) change(s *supervisor.Snapshot) (change, url string) {
	_, f, ok := s.Frame(d.frame.ID)
	switch {
	case !ok:
		return frameGone, ""
	case f.Crashed:
		return frameCrashed, f.URL
	case d.frame.LoaderID != "" && f.LoaderID != "" && f.LoaderID != d.frame.LoaderID:
		return frameNavigated, f.URL
	case f.SessionID != d.frame.SessionID:
		return frameMoved, f.URL
	}
	return "", f.URL
}

// documentGone reports whether the browser gave a command up because the document
// that it ran in was replaced or removed.
func documentGone(e *fault.Error) bool {
	answer, ok := errors.AsType[*cdp.Error](e)
	if !ok {
		return false
	}
	for _, said := range []string{
		"Inspected target navigated or closed", "Execution context was destroyed", "Cannot find context with specified id",
		"uniqueContextId not found", "Promise was collected", "Frame was detached",
	} {
		if strings.Contains(answer.Message, said) {
			return true
		}
	}
	return false
}
