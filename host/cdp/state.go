package cdp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// callState is how far a call has come. Conn.mu guards it; whoever moves a call
// to settled, and nobody else, gives it its outcome.
type callState uint8

const (
	queued  callState = iota // may still be withdrawn
	sent                     // handed to the transport
	givenUp                  // sent, the caller has gone, WithLate waits for the reply
	settled                  // its outcome is decided
)

// call is one command on its way, and where its outcome goes.
type call struct {
	callOptions
	cmd   Command // changed by the writer only, under Conn.mu
	ctx   context.Context
	id    int64
	state callState
	next  *call // in its lane

	reply chan outcome // of Call; has room for the one outcome
	post  postFunc     // of Post, may be nil
	index int          // in Post's burst
}

type outcome struct {
	result json.RawMessage
	err    error
}

// posted reports whether the call comes from Post; nobody waits for it.
func (k *call) posted() bool { return k.reply == nil }

// expired returns the context's error as soon as its deadline has passed, also
// before the context's own timer fires.
func (k *call) expired() error {
	if k.ctx == nil {
		return nil
	}
	if err := contextError(k.ctx); err != nil {
		return err
	}
	if deadline, ok := k.ctx.Deadline(); ok && !time.Now().Before(deadline) {
		return context.DeadlineExceeded
	}
	return nil
}

// contextError is ctx's error with its cause, if that says more.
func contextError(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if err == nil || errors.Is(cause, err) {
		return cause
	}
	return fmt.Errorf("%w: %w", err, cause)
}

func (cmd *Command) failed(sent bool, err error) error {
	return &CallError{Method: cmd.Method, SessionID: cmd.SessionID, Sent: sent, Err: err}
}
