package capture

import (
	"context"
	"encoding/json"
	"errors"

	"cdphost/host/cdp"
	"cdphost/sdk/fault"
)

// Validator is before_send: it is asked right before one call is written, and
// sees the final params. nil sends; an error refuses and comes back to the caller
// as it was. It must not block and must not call CDP.
type Validator func(Command, Facts) error

// Option adjusts one Call.
type Option func(*callOptions)

type callOptions struct {
	session string
	before  Validator
	compare []Field
	late    func(json.RawMessage, error)
}

// OnSession sends on a session; without it the command goes to the browser.
func OnSession(id string) Option { return func(o *callOptions) { o.session = id } }

// WithBeforeSend has the call validated; compare are the facts that must not
// change between the verdict and the write (DefaultFields when empty).
func WithBeforeSend(v Validator, compare ...Field) Option {
	return func(o *callOptions) { o.before, o.compare = v, compare }
}

// WithLate is called once, on the reader goroutine, with a reply that comes after
// the caller gave up.
func WithLate(f func(json.RawMessage, error)) Option {
	return func(o *callOptions) { o.late = f }
}

// maxAsks is how often validators are asked about one call whose facts keep
// changing.
const maxAsks = 3

// errChanged is the admission's word that facts moved since the verdict.
var errChanged = errors.New("facts changed")

// Call sends one CDP command and returns the raw result. params is a
// json.RawMessage, or anything that marshals; nil is none. The context's deadline
// covers admission too: an expired call is never sent. Without a deadline the
// call waits until the reply comes or the handle ends.
//
// Errors: a *fault.Error with CaptureInvalid, NotYours, NotGranted,
// SchemeBlocked, Denied, FactsChanged (nothing was sent), NotSent, SentNoReply,
// ReplyTooBig, or CDPError around the browser's *cdp.Error; the validator's own
// error as it was.
func (h *Handle) Call(ctx context.Context, method string, params any, opts ...Option) (json.RawMessage, error) {
	var o callOptions
	for _, f := range opts {
		f(&o)
	}
	cmd := Command{SessionID: o.session, Method: method}
	var err error
	if cmd.Params, err = rawParams(params); err != nil {
		return nil, err
	}
	ctx, end := h.span(ctx, &cmd)
	result, guards, err := h.call(ctx, &cmd, &o)
	if end != nil {
		end(err)
	}
	if obs := h.manager.observer.Load(); obs != nil {
		(*obs)(Record{Task: h.sup.Key(), Sender: h.holder.Name, Command: cmd, Guards: guards, Reply: result, Err: err})
	}
	return result, err
}

func (h *Handle) call(ctx context.Context, cmd *Command, o *callOptions) (json.RawMessage, []string, error) {
	if InValidator(ctx) {
		return nil, nil, fault.New(fault.Denied, "%s was not sent: a validator must not call CDP", cmd.Method)
	}
	if err := h.check(); err != nil {
		return nil, nil, err
	}
	if err := h.holder.granted(cmd.Method); err != nil {
		return nil, nil, err
	}
	return h.judged(ctx, cmd, o)
}

// judged sends a command that the holder may send, when the validators agree.
func (h *Handle) judged(ctx context.Context, cmd *Command, o *callOptions) (json.RawMessage, []string, error) {
	if err := h.admissible(ctx, cmd); err != nil {
		return nil, nil, err
	}
	h.completeAnswer(cmd)
	guards := h.manager.guardsFor(cmd.Method)
	original := cmd.Params
	for ask := 0; ; ask++ {
		cmd.Params = original
		v, err := h.validate(ctx, cmd, guards, o)
		if err != nil {
			return nil, names(guards), err
		}
		result, err := h.send(ctx, cmd, o, v)
		switch {
		case err == nil:
			result, err = h.narrow(cmd, result)
			return result, names(guards), err
		case !errors.Is(err, errChanged) && !(v.tied && untied(err)):
			return nil, names(guards), h.explain(cmd, err)
		case ask+1 == maxAsks:
			return nil, names(guards), fault.New(fault.FactsChanged, "%s was not sent: the page kept changing while its validators were asked", cmd.Method)
		}
	}
}

// admissible checks what a command names and does, and completes it.
func (h *Handle) admissible(ctx context.Context, cmd *Command) error {
	if err := h.own(ctx, cmd); err != nil {
		return err
	}
	return h.relied(cmd)
}

// verdict is what validators agreed on; without validators it holds whatever
// happens.
type verdict struct {
	asked  bool
	facts  Facts
	fields []Field // that must not change until the write
	tied   bool    // to the document of the facts, by tie
}

// validate asks guards and before_send, in order. cmd's params are those that
// they agreed on.
func (h *Handle) validate(ctx context.Context, cmd *Command, guards []Guard, o *callOptions) (verdict, error) {
	if len(guards) == 0 && o.before == nil {
		return verdict{}, nil
	}
	v := verdict{asked: true, facts: h.facts(cmd.SessionID)}
	v.tied = h.tie(cmd, &v.facts)
	for _, g := range guards {
		rewritten, err := ask(ctx, g, GuardRequest{Task: h.sup.Key(), Sender: h.holder.Name, Command: *cmd, Facts: v.facts})
		if err == nil && len(rewritten) > 0 {
			if cmd.Params, err = checkParams(rewritten); err == nil {
				err = h.admissible(ctx, cmd)
			}
		}
		if err != nil {
			return v, err
		}
		v.fields = append(v.fields, orDefault(g.Compare())...)
	}
	if o.before != nil {
		if err := o.before(*cmd, v.facts); err != nil {
			return v, err
		}
		v.fields = append(v.fields, orDefault(o.compare)...)
	}
	return v, nil
}

// stands reports whether in this moment the handle is valid and the facts are
// those that the validators saw.
func (h *Handle) stands(session string, v *verdict) error {
	if err := h.check(); err != nil {
		return err
	}
	if !v.asked {
		return nil
	}
	if now := h.facts(session); !v.facts.agree(&now, v.fields) {
		return errChanged
	}
	return nil
}

func rawMessage(c *Command) cdp.Command {
	return cdp.Command{SessionID: c.SessionID, Method: c.Method, Params: c.Params}
}

func names(guards []Guard) []string {
	if len(guards) == 0 {
		return nil
	}
	out := make([]string, len(guards))
	for i, g := range guards {
		out[i] = g.Name()
	}
	return out
}

func orDefault(fields []Field) []Field {
	if len(fields) == 0 {
		return DefaultFields
	}
	return fields
}
