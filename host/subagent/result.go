package subagent

import "cdphost/sdk/fault"

// Status is how a run ended.
type Status string

// Ways to end.
const (
	Completed       Status = "completed"
	Failed          Status = "failed"
	Cancelled       Status = "cancelled"
	BudgetExhausted Status = "budget_exhausted"
)

// Result is what a run hands back.
type Result struct {
	Status  Status
	Summary string
	// Artifacts are what was kept for the caller, oldest first.
	Artifacts []Artifact
	// Dialogs still block pages of the task; the summary names them.
	Dialogs []Dialog
	// Error says why the run failed for a reason that is not the work's: the
	// model could not be reached, or made no sense. nil otherwise.
	Error   *fault.Error
	Actions int
	Usage   Usage
}

// Artifact is something of a run that is kept for the caller.
type Artifact struct {
	URI         string `json:"uri"`
	Name        string `json:"name"`
	MIME        string `json:"mime_type"`
	Description string `json:"description,omitempty"`
	Size        int64  `json:"size"`
}
