package tool

import (
	"context"
	"encoding/json"
	"errors"
	"maps"

	"cdphost/sdk/fault"
)

// Failure is the reply to a call that failed:
// {"success": false, "error": {"code", "message", ...details}}.
type Failure struct {
	Code    fault.Code
	Message string
	Details map[string]any
}

// Fail makes the reply for err. An error without a code is internal_error and
// its text is not shown, because it may quote what must not leave the host.
func Fail(err error) *Result {
	e := asFault(err)
	return &Result{
		IsError:    true,
		Code:       e.Code,
		Structured: Failure{Code: e.Code, Message: e.Message, Details: e.Details},
	}
}

// MarshalJSON writes the details beside code and message, which win over a
// detail of the same name.
func (f Failure) MarshalJSON() ([]byte, error) {
	inner := maps.Clone(f.Details)
	if inner == nil {
		inner = make(map[string]any, 2)
	}
	inner["code"], inner["message"] = f.Code, f.Message
	return json.Marshal(struct {
		Success bool           `json:"success"`
		Error   map[string]any `json:"error"`
	}{Error: inner})
}

func asFault(err error) *fault.Error {
	if e, ok := errors.AsType[*fault.Error](err); ok {
		return e
	}
	switch {
	case errors.Is(err, context.Canceled):
		return fault.Wrap(err, fault.Aborted, "The caller cancelled the call.")
	case errors.Is(err, context.DeadlineExceeded):
		return fault.Wrap(err, fault.Timeout, "The call took too long. Call browser_snapshot to see where the page is before trying again.")
	}
	return fault.Wrap(err, fault.InternalError, "The host failed in a way it has no name for; its log has the details.")
}
