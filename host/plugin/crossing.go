package plugin

import (
	"errors"

	"cdphost/host/cdp"
	"cdphost/sdk/fault"
	"cdphost/sdk/proto/wire"
)

// crossing gives an error of the host the form in which it crosses to a plugin:
// what Chrome answered as a CDP error, what package cdp says of a command's way
// as a fault.
func crossing(err error) error {
	var answered *cdp.Error
	var typed *fault.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &typed) && typed.Code != fault.CDPError:
		return err
	case errors.As(err, &answered):
		return &wire.RemoteCDPError{Code: answered.Code, Message: answered.Message, Data: answered.Data}
	case errors.Is(err, cdp.ErrReplyTooBig):
		return fault.Wrap(err, fault.ReplyTooBig, "%v", err)
	case errors.Is(err, cdp.ErrNotSent):
		return fault.Wrap(err, fault.NotSent, "%v", err)
	case errors.Is(err, cdp.ErrNoReply):
		return fault.Wrap(err, fault.SentNoReply, "%v", err)
	}
	return err
}
