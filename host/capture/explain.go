package capture

import (
	"context"
	"errors"

	"cdphost/host/cdp"
	"cdphost/sdk/fault"
)

// explain gives an error of the connection its code. Whether the command left
// decides what the caller may do next: details tell it as sent.
func (h *Handle) explain(cmd *Command, err error) error {
	var f *fault.Error
	var refused *cdp.Error
	sent := !errors.Is(err, cdp.ErrNotSent)
	var call *cdp.CallError
	if errors.Is(err, cdp.ErrClosed) {
		h.cancel(errInvalid) // the end of the epoch is told a moment later
	}
	switch {
	case errors.As(err, &refused):
		return fault.Wrap(err, fault.CDPError, "%s: %s", cmd.Method, refused.Message).With("cdp_code", refused.Code)
	case h.ctx.Err() != nil && errors.As(err, &call) && !errors.Is(err, cdp.ErrReplyTooBig):
		return fault.Wrap(err, fault.CaptureInvalid, "%s: %s", cmd.Method, reason(context.Cause(h.ctx))).With("sent", sent)
	case errors.As(err, &f):
		return f
	case errors.Is(err, cdp.ErrReplyTooBig):
		return fault.Wrap(err, fault.ReplyTooBig, "the reply to %s is larger than browser.read_limit_bytes", cmd.Method)
	case errors.Is(err, cdp.ErrInvalidCommand):
		return fault.Wrap(err, fault.InvalidArgument, "%s can't be sent: its params are not a JSON object", cmd.Method)
	case errors.Is(err, context.Canceled) && sent:
		return fault.Wrap(err, fault.Aborted, "%s was sent and given up by its caller", cmd.Method).With("sent", true)
	case errors.Is(err, context.Canceled):
		return fault.Wrap(err, fault.Aborted, "%s was given up by its caller and not sent", cmd.Method).With("sent", false)
	case !sent:
		return fault.Wrap(err, fault.NotSent, "%s was not sent: %v", cmd.Method, cause(err))
	case errors.Is(err, cdp.ErrSessionGone):
		return fault.Wrap(err, fault.SentNoReply, "%s got no reply: its page or frame went away", cmd.Method).With("cause", "session_gone")
	}
	return fault.Wrap(err, fault.SentNoReply, "%s was sent and got no reply in time", cmd.Method)
}

// cause is what a call failed of, without the call.
func cause(err error) error {
	var call *cdp.CallError
	if errors.As(err, &call) {
		return call.Err
	}
	return err
}

// reason is the text of an error without its code.
func reason(err error) string {
	var f *fault.Error
	if errors.As(err, &f) {
		return f.Message
	}
	return err.Error()
}
