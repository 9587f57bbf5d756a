package plugin

import (
	"context"
	"encoding/json"
	"time"

	"cdphost/host/capture"
	"cdphost/host/cdp"
	"cdphost/host/supervisor"
)

// Captured is the CaptureHost over the tasks of this process.
func Captured(m *capture.Manager) CaptureHost { return captured{m} }

// subscriptionQueue is how many events wait for a plugin's subscription before it loses
// some: a page's burst, not its life.
const subscriptionQueue = 4096

// beforeSendTimeout is how long one call waits for its own before_send.
const beforeSendTimeout = 500 * time.Millisecond

type captured struct{ captures *capture.Manager }

func (c captured) Capture(ctx context.Context, holder Holder, task supervisor.Key) (CaptureHandle, error) {
	h, err := c.captures.Capture(ctx, task, holder.capture())
	if err != nil {
		return nil, err
	}
	return lease{h}, nil
}

func (c captured) Subscribe(ctx context.Context, holder Holder, task supervisor.Key, f EventFilter) (EventSource, error) {
	sub, err := c.captures.Subscribe(ctx, task, holder.capture(),
		supervisor.Filter{Methods: f.Methods, SessionID: f.SessionID, TabID: f.TabID}, subscriptionQueue)
	if err != nil {
		return nil, err
	}
	return source{sub}, nil
}

func (h Holder) capture() capture.Holder {
	return capture.Holder{
		Name: h.Name, Generation: h.Generation, Priority: h.Priority, Trusted: h.Grants.All,
		Methods: h.Grants.Methods, Events: h.Grants.Events, Toolsets: h.Grants.Toolsets,
	}
}

// lease is a capture handle as plugins hold it.
type lease struct{ *capture.Handle }

func (l lease) Call(ctx context.Context, call CaptureCall) (json.RawMessage, error) {
	opts := []capture.Option{capture.OnSession(call.Command.SessionID)}
	if call.BeforeSend != nil {
		compare := make([]capture.Field, len(call.Compare))
		for i, name := range call.Compare {
			compare[i] = capture.Field(name)
		}
		opts = append(opts, capture.WithBeforeSend(func(c capture.Command, f capture.Facts) error {
			ctx, cancel := context.WithTimeout(ctx, beforeSendTimeout)
			defer cancel()
			return call.BeforeSend(ctx, cdp.Command{SessionID: c.SessionID, Method: c.Method, Params: c.Params}, Facts(f))
		}, compare...))
	}
	return l.Handle.Call(ctx, call.Command.Method, call.Command.Params, opts...)
}

// source is a subscription as plugins read it.
type source struct{ *supervisor.Subscription }

func (s source) Events() <-chan supervisor.Event { return s.C }
