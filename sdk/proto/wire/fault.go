// Package wire is what the host and the plugins' SDK agree on beside the
// messages: the handshake, and how typed errors cross gRPC. An error that leaves
// one side with a fault code arrives on the other with the same code, message
// and details; a CDP error arrives with the browser's code, message and data.
package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"cdphost/sdk/fault"
	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
)

// CDPError is implemented by an error that carries what the browser answered.
type CDPError interface {
	error
	CDP() (code int64, message, data string)
}

// RemoteCDPError is what the browser answered, as it arrived over the wire.
type RemoteCDPError struct {
	Code    int64
	Message string
	Data    string
}

// Error returns the browser's message with its code and data.
func (e *RemoteCDPError) Error() string {
	if e.Data != "" {
		return fmt.Sprintf("cdp error %d: %s (%s)", e.Code, e.Message, e.Data)
	}
	return fmt.Sprintf("cdp error %d: %s", e.Code, e.Message)
}

// CDP implements CDPError.
func (e *RemoteCDPError) CDP() (int64, string, string) { return e.Code, e.Message, e.Data }

// Is makes errors.Is(err, fault.CDPError) true.
func (e *RemoteCDPError) Is(target error) bool { return target == error(fault.CDPError) }

// ToFault turns an error into its message. Of an error without a code only the
// text crosses, as internal_error; context errors become aborted and timeout.
func ToFault(err error) *pluginv1.Fault {
	if err == nil {
		return nil
	}
	var cdp CDPError
	if errors.As(err, &cdp) {
		code, message, data := cdp.CDP()
		return &pluginv1.Fault{
			Code: string(fault.CDPError), Message: cdp.Error(),
			Cdp: &pluginv1.CDPError{Code: code, Message: message, Data: data},
		}
	}
	var f *fault.Error
	if errors.As(err, &f) {
		out := &pluginv1.Fault{Code: string(f.Code), Message: f.Message}
		if len(f.Details) > 0 {
			if details, err := json.Marshal(f.Details); err == nil {
				out.Details = details
			}
		}
		return out
	}
	code := fault.InternalError
	var bare fault.Code
	switch {
	case errors.As(err, &bare):
		code = bare
	case errors.Is(err, context.Canceled):
		code = fault.Aborted
	case errors.Is(err, context.DeadlineExceeded):
		code = fault.Timeout
	}
	return &pluginv1.Fault{Code: string(code), Message: err.Error()}
}

// FromFault turns a message back into an error: *RemoteCDPError for cdp_error,
// else *fault.Error. Timeouts and cancellations unwrap to the context's errors.
func FromFault(f *pluginv1.Fault) error {
	if f == nil {
		return nil
	}
	if c := f.GetCdp(); c != nil {
		return &RemoteCDPError{Code: c.GetCode(), Message: c.GetMessage(), Data: c.GetData()}
	}
	var cause error
	switch fault.Code(f.GetCode()) {
	case fault.Timeout:
		cause = context.DeadlineExceeded
	case fault.Aborted:
		cause = context.Canceled
	}
	e := fault.Wrap(cause, fault.Code(f.GetCode()), "%s", f.GetMessage())
	var details map[string]any
	if len(f.GetDetails()) > 0 && json.Unmarshal(f.GetDetails(), &details) == nil {
		for k, v := range details {
			e = e.With(k, v)
		}
	}
	return e
}

// ToStatus turns an error into a gRPC status error that carries its Fault.
func ToStatus(err error) error {
	if err == nil {
		return nil
	}
	f := ToFault(err)
	st, attachErr := status.New(codes.FailedPrecondition, f.GetMessage()).WithDetails(f)
	if attachErr != nil {
		return status.Error(codes.Internal, err.Error())
	}
	return st.Err()
}

// FromStatus turns what a gRPC call returned into a typed error. peer names the
// other side in texts, as in "plugin dialog".
func FromStatus(err error, peer string) error {
	if err == nil {
		return nil
	}
	st, ok := status.FromError(err)
	if !ok {
		return err
	}
	for _, d := range st.Details() {
		if f, ok := d.(*pluginv1.Fault); ok {
			return FromFault(f)
		}
	}
	switch st.Code() {
	case codes.Unavailable:
		return fault.Wrap(err, fault.PluginUnavailable, "%s went away during the call", peer)
	case codes.DeadlineExceeded:
		return fault.Wrap(context.DeadlineExceeded, fault.Timeout, "%s did not answer in time", peer)
	case codes.Canceled:
		return fault.Wrap(context.Canceled, fault.Aborted, "the call to %s was cancelled", peer)
	case codes.ResourceExhausted:
		return fault.Wrap(err, fault.ReplyTooBig, "the answer of %s was too big", peer)
	case codes.Unimplemented:
		return fault.Wrap(err, fault.Unsupported, "%s does not serve this hook", peer)
	default:
		return fault.Wrap(err, fault.InternalError, "%s failed: %s", peer, st.Message())
	}
}
