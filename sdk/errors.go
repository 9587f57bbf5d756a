package sdk

import (
	"errors"

	"cdphost/sdk/fault"
	"cdphost/sdk/proto/wire"
)

// What a Handle's calls fail with, for errors.Is.
var (
	// ErrCaptureInvalid: the handle will never work again; capture anew and check
	// again what was checked.
	ErrCaptureInvalid error = fault.CaptureInvalid
	// ErrNotSent: the browser has not seen the command.
	ErrNotSent error = fault.NotSent
	// ErrSentNoReply: the browser may have run the command; look before repeating.
	ErrSentNoReply error = fault.SentNoReply
	// ErrDenied: a guard or before_send refused the command.
	ErrDenied error = fault.Denied
	// ErrFactsChanged: the page kept changing while the command was validated.
	ErrFactsChanged error = fault.FactsChanged
	// ErrNotYours: the command names something of another task.
	ErrNotYours error = fault.NotYours
	// ErrNotGranted: config.yaml does not grant it to this plugin.
	ErrNotGranted error = fault.NotGranted
)

// CDPError is what the browser answered a command.
type CDPError = wire.RemoteCDPError

// AsCDPError returns the CDPError in err's tree.
func AsCDPError(err error) (*CDPError, bool) {
	var e *CDPError
	ok := errors.As(err, &e)
	return e, ok
}
