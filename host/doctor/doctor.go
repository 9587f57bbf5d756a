// Package doctor runs checks of a host's surroundings and reports for each what
// is wrong and what to do. Checks are independent: one that fails or hangs does
// not keep others from being made.
package doctor

import (
	"context"
	"errors"
	"time"

	"cdphost/sdk/fault"
)

// Status is the outcome of a check.
type Status string

// Outcomes, from good to bad.
const (
	OK      Status = "ok"
	Warning Status = "warning" // works, but not as well as it could
	Failed  Status = "failed"
	Skipped Status = "skipped" // does not apply
)

// Finding is what one check found.
type Finding struct {
	Check  string `json:"check"`
	Status Status `json:"status"`
	// Found says what is there, in a few words.
	Found string `json:"found"`
	// Do says what to do about it; "" when there is nothing to do.
	Do string `json:"do,omitempty"`
}

// Check looks at one thing. An error is a failure; its text is what to show.
type Check struct {
	Name string
	Run  func(ctx context.Context) (Finding, error)
}

// limit bounds one check: longer than any start of a browser takes.
const limit = 20 * time.Second

// Run makes the checks in order and returns their findings.
func Run(ctx context.Context, checks []Check) []Finding {
	findings := make([]Finding, 0, len(checks))
	for _, c := range checks {
		findings = append(findings, run(ctx, c))
	}
	return findings
}

func run(ctx context.Context, c Check) Finding {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	f, err := c.Run(ctx)
	f.Check = c.Name
	if err != nil {
		f.Status, f.Found = Failed, text(err)
	}
	return f
}

// text is an error as a person reads it, without the code for programs.
func text(err error) string {
	var f *fault.Error
	if errors.As(err, &f) && f.Error() == err.Error() {
		return f.Message
	}
	return err.Error()
}

// Healthy reports whether no check failed.
func Healthy(findings []Finding) bool {
	for _, f := range findings {
		if f.Status == Failed {
			return false
		}
	}
	return true
}
