package suite

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"cdphost/sdk"
	"cdphost/sdk/internal/fakehost"
)

// defaultPatience is where slow becomes hung, on a busy machine too. The host is
// less patient with hooks.
const defaultPatience = 15 * time.Second

// Options say how a plugin is checked.
type Options struct {
	// Config is the plugin's configuration, a JSON object; empty means its
	// defaults.
	Config json.RawMessage
	// Patience bounds each check; 0 means 15 s.
	Patience time.Duration
}

// check is one thing that is looked at.
type check struct {
	name   string
	advice string
	// hook narrows it to plugins that have one; "" means all.
	hook sdk.Hook
	// needed means that nothing can be checked after its failure.
	needed bool
	run    func(context.Context, *session) (string, error)
}

// skip is returned by a check that has nothing to look at.
type skip string

func (s skip) Error() string { return string(s) }

// Run checks a plugin. report, when not nil, gets each result as it comes. It
// returns when everything that it started has ended.
func Run(ctx context.Context, c Carrier, o Options, report func(Result)) *Report {
	s := &session{carrier: c, host: fakehost.New(), config: o.Config, patience: cmp.Or(o.Patience, defaultPatience)}
	if len(s.config) == 0 {
		s.config = json.RawMessage("{}")
	}
	s.host.AddTask(task, facts)
	defer s.close()
	broken := false
	for _, check := range slices.Concat(startChecks, policyChecks, routerChecks, bridgeChecks, guardChecks, toolChecks, eventChecks, endChecks) {
		if check.hook != "" && !slices.Contains(s.report.Hooks, check.hook) {
			continue
		}
		r := Result{Check: check.name, Status: Skipped, Detail: "nothing to check after the failure before"}
		if check.hook != "" {
			r.Check = string(check.hook) + ": " + check.name
		}
		if !broken {
			r = check.result(ctx, s, r.Check)
			broken = check.needed && r.Status == Failed
		}
		s.report.Results = append(s.report.Results, r)
		if report != nil {
			report(r)
		}
	}
	return &s.report
}

func (c *check) result(ctx context.Context, s *session, name string) Result {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	detail, err := c.run(ctx, s)
	r := Result{Check: name, Status: OK, Detail: detail}
	var why skip
	switch {
	case errors.As(err, &why):
		r.Status, r.Detail = Skipped, string(why)
	case err != nil:
		r.Status, r.Detail, r.Advice = Failed, err.Error(), c.advice
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			r.Detail = fmt.Sprintf("no answer within %s", s.patience)
		}
	}
	return r
}
