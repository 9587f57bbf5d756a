package capture

import (
	"context"
	"errors"

	"cdphost/host/cdp"
	"cdphost/sdk/fault"
)

// explain gives an error of the connection its code. Whether the command left
// decides what the caller may do next.
func (h *Handle) explain(cmd *Command, err error) error {
	var f *fault.Error
	var refused *cdp.Error
	switch {
	case errors.As(err, &f):
		return err
	case errors.As(err, &refused):
		return fault.Wrap(err, fault.CDPError, "%s: %s", cmd.Method, refused.Message).With("cdp_code", refused.Code)
	case h.ctx.Err() != nil:
		return fault.Wrap(err, fault.CaptureInvalid, "%s: the handle was released", cmd.Method)
	case errors.Is(err, cdp.ErrReplyTooBig):
		return fault.Wrap(err, fault.ReplyTooBig, "the reply to %s is larger than browser.read_limit_bytes", cmd.Method)
	case errors.Is(err, cdp.ErrClosed):
		return fault.Wrap(err, fault.CaptureInvalid, "%s: the connection dropped; capture again and check again", cmd.Method).With("sent", errors.Is(err, cdp.ErrNoReply))
	case errors.Is(err, cdp.ErrSessionGone):
		return fault.Wrap(err, fault.SentNoReply, "%s got no reply: its page or frame went away", cmd.Method).With("cause", "session_gone")
	case errors.Is(err, cdp.ErrNoReply) && errors.Is(err, context.Canceled):
		return fault.Wrap(err, fault.Aborted, "%s was sent and given up by its caller", cmd.Method).With("sent", true)
	case errors.Is(err, cdp.ErrNoReply):
		return fault.Wrap(err, fault.SentNoReply, "%s was sent and got no reply in time", cmd.Method)
	case errors.Is(err, context.Canceled):
		return fault.Wrap(err, fault.Aborted, "%s was given up by its caller and not sent", cmd.Method).With("sent", false)
	}
	return fault.Wrap(err, fault.NotSent, "%s was not sent: %v", cmd.Method, err)
}
