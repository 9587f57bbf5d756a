package subagent

import (
	"context"
	"time"
)

// Job is one call of the task tool.
type Job struct {
	// Caller and Task name the browser task: jobs on one task run one after the
	// other.
	Caller, Task string
	// Description is a few words for people, Prompt the work.
	Description, Prompt string
	Model               Model
	Budget              Budget
	// Open gives the task's browser when it is the job's turn. Its error ends the
	// job before it began.
	Open func(ctx context.Context) (Toolbox, error)
	// Keep stores an artifact and returns it with its URI; nil keeps nothing.
	Keep func(name, mime, description string, data []byte) (Artifact, error)
	// Report tells the caller of each action; nil tells nobody. total is 0 when
	// the number of actions has no limit.
	Report func(done, total int, line string)
}

// Budget is what a job may use; 0 is no limit.
type Budget struct {
	// Actions are calls of browser and browser_dialog.
	Actions int
	// Tokens are those of all requests, in and out.
	Tokens int64
	Time   time.Duration
}
