package sdk

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"cdphost/sdk/fault"
	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
	"cdphost/sdk/proto/wire"
)

// Handle is a lease on one task's connection, as it was when it was captured. It
// is safe for concurrent use.
type Handle struct {
	host        *Host
	calls       *callStream
	task        Task
	id          uint64
	pageSession string
	tabID       string
	epoch       uint64

	once    sync.Once
	invalid chan struct{}
}

// Task returns the task.
func (h *Handle) Task() Task { return h.task }

// PageSession returns the CDP session of the page that was current at the
// capture; it never changes.
func (h *Handle) PageSession() string { return h.pageSession }

// TabID returns the agent's name of that page, as in "t1".
func (h *Handle) TabID() string { return h.tabID }

// Epoch returns the number of the connection that the handle is pinned to.
func (h *Handle) Epoch() uint64 { return h.epoch }

// Valid reports whether the handle still works. It is false for ever after a
// reconnect, stop or replacement of the connection, or Release.
func (h *Handle) Valid() bool {
	select {
	case <-h.invalid:
		return false
	default:
		return true
	}
}

// Invalid is closed when the handle stops to be valid.
func (h *Handle) Invalid() <-chan struct{} { return h.invalid }

func (h *Handle) invalidate() { h.once.Do(func() { close(h.invalid) }) }

// Release ends the lease; the host undoes what was made through it: sessions,
// init scripts, Fetch patterns, bindings, targets.
func (h *Handle) Release(ctx context.Context) error {
	h.invalidate()
	h.calls.forget(h)
	_, err := h.host.client.Release(ctx, &pluginv1.ReleaseRequest{Handle: h.id})
	return wire.FromStatus(err, "the host")
}

// CallOption is an option of Handle.Call.
type CallOption func(*call)

// OnSession sends the command on a CDP session, such as Handle.PageSession.
// Without it the command goes to the browser level, where Target.* lives.
func OnSession(id string) CallOption { return func(c *call) { c.command.SessionID = id } }

// WithBeforeSend has the command validated right before it is sent: f sees its
// final params and what the host knows of the place where it would act. nil sends
// it; an error refuses it and is what Call returns. f must not block, and a call
// made from inside it is refused. It is asked again when one of the compared
// facts changes before the write.
func WithBeforeSend(f func(Command, Facts) error) CallOption {
	return func(c *call) { c.beforeSend = f }
}

// WithCompare names the facts (FactOrigin, ...) whose change makes the host ask
// the function of WithBeforeSend again; without it all but url and title count.
func WithCompare(facts ...string) CallOption { return func(c *call) { c.compare = facts } }

// Call sends one CDP command and returns the browser's reply as it is. params is
// marshalled to a JSON object; nil is an empty one. The deadline is that of ctx
// and covers the admission by guards; without one it waits until the reply comes
// or the connection closes.
//
// Errors: *CDPError for what the browser answered, ErrCaptureInvalid,
// ErrNotSent, ErrSentNoReply, ErrDenied, ErrFactsChanged, ErrNotYours,
// ErrNotGranted. A CDP error or a timeout does not invalidate the handle.
func (h *Handle) Call(ctx context.Context, method string, params any, opts ...CallOption) (json.RawMessage, error) {
	if insideValidator(ctx) || h.calls.validating() {
		return nil, fault.New(fault.InvalidArgument, "a validator can't call CDP; capture and look before or after it")
	}
	raw, err := marshalParams(params)
	if err != nil {
		return nil, fault.Wrap(err, fault.InvalidArgument, "the params of %s are not JSON: %v", method, err)
	}
	c := &call{command: Command{Method: method, Params: raw}, done: make(chan struct{})}
	for _, o := range opts {
		o(c)
	}
	if !h.Valid() {
		return nil, fault.New(fault.CaptureInvalid, "the connection has been replaced; capture again and check again")
	}
	return h.calls.run(ctx, h.id, c)
}

// helperTimeout is what the helpers wait when the context has no deadline.
const helperTimeout = 10 * time.Second

// Evaluate runs an expression in the captured page (Runtime.evaluate, by value,
// promises awaited) and unmarshals its value into out, which may be nil. Without
// a deadline in ctx it waits 10 s. What the expression throws is an error with
// fault.EvaluateFailed.
func (h *Handle) Evaluate(ctx context.Context, expression string, out any, opts ...CallOption) error {
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, helperTimeout)
		defer cancel()
	}
	raw, err := h.Call(ctx, "Runtime.evaluate", map[string]any{
		"expression": expression, "returnByValue": true, "awaitPromise": true,
	}, append([]CallOption{OnSession(h.pageSession)}, opts...)...)
	if err != nil {
		return err
	}
	var reply struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		ExceptionDetails *struct {
			Text      string `json:"text"`
			Exception struct {
				Description string `json:"description"`
			} `json:"exception"`
		} `json:"exceptionDetails"`
	}
	if err := json.Unmarshal(raw, &reply); err != nil {
		return fault.Wrap(err, fault.InternalError, "the reply of Runtime.evaluate is not understood: %v", err)
	}
	if e := reply.ExceptionDetails; e != nil {
		return fault.New(fault.EvaluateFailed, "%s %s", e.Text, e.Exception.Description)
	}
	if out == nil || len(reply.Result.Value) == 0 {
		return nil
	}
	return json.Unmarshal(reply.Result.Value, out)
}

func marshalParams(params any) (json.RawMessage, error) {
	switch p := params.(type) {
	case nil:
		return json.RawMessage("{}"), nil
	case json.RawMessage:
		if len(p) == 0 {
			return json.RawMessage("{}"), nil
		}
		return p, nil
	default:
		return json.Marshal(p)
	}
}
