package page

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"cdphost/sdk/fault"
)

// releaseTimeout bounds letting go of a button or key after a dialog.
const releaseTimeout = 5 * time.Second

// late takes the reply to a command that the action no longer waited for. When
// a dialog was what ended the wait, the reply is the action's own end.
func (r *run) late(result json.RawMessage, err error) {
	if fault.CodeOf(context.Cause(r.ctx)) != fault.BlockedByDialog {
		return
	}
	r.once.Do(func() {
		r.mu.Lock()
		held, progress := r.held, r.progress
		r.mu.Unlock()
		if held != nil {
			r.background(held)
		}
		if !r.action.effect {
			return
		}
		r.sessions.end(r.tabID, r.outcome(result, err, progress))
	})
}

func (r *run) outcome(result json.RawMessage, err error, progress string) Ended {
	end := Ended{Action: r.action.name, OK: err == nil, Note: progress}
	var fe *fault.Error
	switch {
	case err != nil && errors.As(err, &fe):
		end.Error = failure(fe)
	case err != nil:
		end.Error = &Failure{Code: fault.InternalError, Message: "it did not end: the page went away or the browser gave no answer"}
	case r.action.ended != nil:
		value, err := r.action.ended(result)
		if err != nil {
			end.OK, end.Error = false, failure(err)
		}
		end.Result = value
	}
	return end
}

// background runs work that outlives the action and ends with the engine.
func (e *Engine) background(work func(context.Context)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return
	}
	e.wg.Go(func() {
		ctx, cancel := context.WithTimeout(e.ctx, releaseTimeout)
		defer cancel()
		work(ctx)
	})
}
