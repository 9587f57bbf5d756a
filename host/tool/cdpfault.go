package tool

import (
	"context"
	"errors"

	"cdphost/host/cdp"
	"cdphost/sdk/fault"
)

// cdpFault gives the failure of a CDP call a code that says whether the browser
// may have carried it out. Errors with a code pass as they are.
func cdpFault(ctx context.Context, method string, err error) error {
	if e, ok := errors.AsType[*fault.Error](err); ok {
		return e
	}
	if cause, ok := errors.AsType[*fault.Error](context.Cause(ctx)); ok {
		return cause
	}
	if answer, ok := errors.AsType[*cdp.Error](err); ok {
		return fault.Wrap(err, fault.CDPError, "The browser refused %s: %s", method, answer.Error()).With("cdp", answer)
	}
	switch {
	case errors.Is(err, cdp.ErrReplyTooBig):
		return fault.Wrap(err, fault.ReplyTooBig, "%s was carried out, but its reply is bigger than browser.read_limit_bytes. Ask for less.", method)
	case ctx.Err() != nil:
		return errors.Join(ctx.Err(), err)
	case errors.Is(err, cdp.ErrNotSent):
		return fault.Wrap(err, fault.NotSent, "%s was not sent, so it is safe to try again.", method)
	case errors.Is(err, cdp.ErrNoReply):
		return fault.Wrap(err, fault.SentNoReply, "%s was sent and not answered, because its page or connection went away. Look with browser_snapshot before you repeat it.", method)
	}
	return err
}
