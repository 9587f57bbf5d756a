package supervisor_test

import (
	"context"
	"sync"

	"cdphost/host/cdp"
	"cdphost/host/cdp/cdptest"
	"cdphost/host/dialog"
	"cdphost/host/supervisor"
)

// recordingPolicy gives one verdict and remembers what it was asked.
type recordingPolicy struct {
	verdict dialog.Verdict

	mu   sync.Mutex
	reqs []supervisor.PolicyRequest
}

func (p *recordingPolicy) Decide(_ context.Context, req supervisor.PolicyRequest) (dialog.Verdict, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reqs = append(p.reqs, req)
	return p.verdict, nil
}

func (p *recordingPolicy) last() supervisor.PolicyRequest {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.reqs) == 0 {
		return supervisor.PolicyRequest{}
	}
	return p.reqs[len(p.reqs)-1]
}

func (p *recordingPolicy) asked() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.reqs)
}

// evaluate is Runtime.evaluate in one execution context, as a user's gesture.
func evaluate(session, uniqueContext, expression string) cdp.Command {
	params := cdptest.M{"expression": expression, "userGesture": true}
	if uniqueContext != "" {
		params["uniqueContextId"] = uniqueContext
	}
	return cdp.Command{SessionID: session, Method: "Runtime.evaluate", Params: cdp.Marshal(params)}
}
