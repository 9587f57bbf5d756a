package suite

import "cdphost/sdk"

// Status is how a check ended.
type Status string

// The ends of a check.
const (
	OK      Status = "ok"
	Failed  Status = "failed"
	Skipped Status = "skipped"
)

// Result is one check and how it ended.
type Result struct {
	// Check names it, as in "dialog-policy: verdicts are valid".
	Check  string `json:"check"`
	Status Status `json:"status"`
	// Detail is what was seen; of a failure what is wrong.
	Detail string `json:"detail,omitempty"`
	// Advice is what to do about a failure.
	Advice string `json:"advice,omitempty"`
}

// Report is what Run found.
type Report struct {
	Name        string     `json:"name,omitempty"`
	Version     string     `json:"version,omitempty"`
	Description string     `json:"description,omitempty"`
	Hooks       []sdk.Hook `json:"hooks,omitempty"`
	Policies    []string   `json:"policies,omitempty"`
	Results     []Result   `json:"results"`
}

// Failures counts the checks that failed.
func (r *Report) Failures() int {
	n := 0
	for _, result := range r.Results {
		if result.Status == Failed {
			n++
		}
	}
	return n
}
