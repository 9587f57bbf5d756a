package subagent

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"cdphost/sdk/fault"
)

// How often and how patiently a model is asked again.
const (
	maxTries  = 6
	firstWait = 500 * time.Millisecond
	maxWait   = 16 * time.Second
	// maxRetryAfter is the longest pause that a service may ask for; beyond it
	// the caller is better off knowing.
	maxRetryAfter = 60 * time.Second
)

// errTokens ends a run whose tokens are used up.
var errTokens = errors.New("the token budget is used up")

// think asks the model for its next message, again where that can help. Nothing
// is acted on before a reply is whole, so asking again is always safe.
func (r *run) think(ctx context.Context) (*Reply, error) {
	tries, squeezed := 1, false
	for {
		r.hist.compact()
		req := r.request()
		if left := r.meter.tokensLeft(); left >= 0 {
			need := estimate(req)
			if need >= left {
				return nil, errTokens
			}
			req.MaxTokens = left - need
		}
		rep, err := r.job.Model.Next(ctx, req)
		if err == nil {
			r.count(req, rep)
			return rep, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		me, ok := errors.AsType[*ModelError](err)
		if !ok {
			return nil, fault.Wrap(err, fault.InternalError, "The model could not be asked; the log has the details.")
		}
		if me.Spent {
			r.meter.usage = r.meter.usage.plus(Usage{In: estimate(req), Estimated: true})
		}
		switch {
		case me.Failure == TooLong && !squeezed:
			squeezed = true
			r.hist.squeeze()
		case me.Failure == NoPictures && !r.hist.blind:
			r.hist.blind = true
		case me.Failure == Transient && tries < maxTries && me.RetryAfter <= maxRetryAfter:
			wait := pause(tries, me.RetryAfter)
			if d, ok := ctx.Deadline(); ok && r.agent.opts.Now().Add(wait).After(d) {
				return nil, me.Fault
			}
			r.log.retry(tries, wait, me)
			if err := r.agent.opts.Sleep(ctx, wait); err != nil {
				return nil, err
			}
			tries++
		default:
			return nil, me.Fault
		}
	}
}

// pause is how long to wait before a try: what the service asks for and a
// little, or doubling with jitter, so that many callers do not come back at once.
func pause(tries int, asked time.Duration) time.Duration {
	if asked > 0 {
		return asked + rand.N(asked/10+100*time.Millisecond)
	}
	wait := min(firstWait<<(tries-1), maxWait)
	return wait/2 + rand.N(wait)
}

func (r *run) request() *Request {
	req := &Request{System: system, Tools: r.tools}
	if r.exhausted {
		req.Tools = []Tool{completeTool}
	}
	req.Messages, req.Settled = r.hist.messages()
	return req
}

// count adds a reply's tokens; a provider that does not count is estimated.
func (r *run) count(req *Request, rep *Reply) {
	if rep.Usage.Total() == 0 {
		rep.Usage = Usage{In: estimate(req), Out: estimateReply(&rep.Message), Estimated: true}
	}
	r.meter.usage = r.meter.usage.plus(rep.Usage)
}
