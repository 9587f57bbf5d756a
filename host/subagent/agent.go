package subagent

import (
	"context"
	"time"

	"github.com/hashicorp/go-hclog"
)

// Options configure an Agent. The zero value works.
type Options struct {
	Logger hclog.Logger
	// Transcripts records each run; nil records none.
	Transcripts *Transcripts
	// Now is the clock; nil is time.Now.
	Now func() time.Time
	// Sleep waits before a model is asked again; nil waits for real. It returns
	// ctx's error when that ends first.
	Sleep func(ctx context.Context, d time.Duration) error
}

// Agent runs jobs. It is safe for concurrent use: jobs of different tasks run at
// the same time. It has no goroutines of its own.
type Agent struct {
	opts  Options
	lanes lanes
}

// New makes an Agent.
func New(o Options) *Agent {
	if o.Logger == nil {
		o.Logger = hclog.NewNullLogger()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	return &Agent{opts: o}
}

// Run waits for the job's turn and carries it out. The error is ctx's, or that
// of job.Open: then nothing was done. Everything later is a Result, also when
// ctx ends: its status is then Cancelled.
func (a *Agent) Run(ctx context.Context, job Job) (*Result, error) {
	leave, waited, err := a.lanes.enter(ctx, job.Caller+"\x00"+job.Task, func() {
		job.report(0, "waiting for another call on this task")
	})
	if err != nil {
		return nil, err
	}
	defer leave()
	if waited {
		a.opts.Logger.Debug("a call waited for another on its task", "task", job.Task)
	}
	caller := ctx
	if job.Budget.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, job.Budget.Time)
		defer cancel()
	}
	box, err := job.Open(ctx)
	if err != nil {
		return nil, err
	}
	r := newRun(caller, a, job, box)
	defer r.log.close()
	result := r.do(ctx)
	r.log.end(result)
	return result, nil
}

func (j *Job) report(done int, line string) {
	if j.Report != nil {
		j.Report(done, j.Budget.Actions, line)
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
