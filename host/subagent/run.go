package subagent

import (
	"context"
	"errors"

	"cdphost/sdk/fault"
)

// run is one job while it is carried out. It belongs to one goroutine.
type run struct {
	agent  *Agent
	job    Job
	box    Toolbox
	caller context.Context // without the budget's deadline
	tools  []Tool
	takes  map[string]variants
	mark   string
	hist   history
	meter  meter
	rounds repeats
	log    *transcript

	artifacts []Artifact
	pictures  int
	page      *extracted // as last read
	steps     []string   // one line an action
	noted     string     // what the model last said
	bad       int        // turns in a row without a usable call
	exhausted bool       // the actions are used up, only complete is left
}

// maxBadTurns is after how many answers in a row without any usable tool call a
// model is given up.
const maxBadTurns = 5

func newRun(caller context.Context, a *Agent, job Job, box Toolbox) *run {
	r := &run{
		agent: a, job: job, box: box, caller: caller, mark: newMark(),
		meter: meter{budget: job.Budget}, takes: make(map[string]variants),
	}
	r.log = a.opts.Transcripts.open(a.opts.Now(), a.opts.Logger, &job)
	return r
}

func (r *run) do(ctx context.Context) *Result {
	if err := r.prepare(); err != nil {
		return r.failed(err)
	}
	page := r.box.Page()
	r.hist.opening = opening(&r.job, r.mark, r.agent.opts.Now(), page)
	if !page.blank() {
		r.hist.first = r.look(ctx, "")
	}
	for {
		if ctx.Err() != nil {
			return r.ended()
		}
		rep, err := r.think(ctx)
		switch {
		case ctx.Err() != nil:
			return r.ended()
		case errors.Is(err, errTokens):
			return r.stopped(BudgetExhausted, "the token budget is used up")
		case err != nil:
			return r.failed(err)
		}
		r.log.reply(rep)
		if result := r.act(ctx, rep); result != nil {
			return result
		}
	}
}

func (r *run) prepare() error {
	for _, t := range r.box.Tools() {
		flat, takes, err := flatten(t)
		if err != nil {
			return fault.Wrap(err, fault.InternalError, "A tool of the subagent is malformed; the log has the details.")
		}
		r.tools = append(r.tools, flat)
		r.takes[t.Name] = takes
	}
	r.tools = append(r.tools, completeTool)
	return nil
}

// ended is the result when ctx has ended.
func (r *run) ended() *Result {
	if r.caller.Err() != nil && !errors.Is(r.caller.Err(), context.DeadlineExceeded) {
		return r.stopped(Cancelled, "the caller cancelled")
	}
	return r.stopped(BudgetExhausted, "the time is used up")
}
