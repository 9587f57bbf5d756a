package suite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"cdphost/sdk"
	"cdphost/sdk/fault"
)

var guardChecks = []check{
	{
		name: "its filter is valid", hook: sdk.HookCommandGuard, run: filterIsValid,
		advice: `name at least one method, as "Domain.method" or "Domain.*", and compare only the sdk.Fact constants`,
	},
	{
		name: "verdicts are valid", hook: sdk.HookCommandGuard, run: guardVerdictsAreValid,
		advice: "return Allow, Deny with a reason, or Rewrite with a JSON object; an error refuses too, but says less to the agent",
	},
	{
		name: "commands are judged side by side", hook: sdk.HookCommandGuard, run: commandsSideBySide,
		advice: "Validate is called from several goroutines: guard what it shares, and hold no lock while it waits",
	},
}

var knownFacts = []string{
	sdk.FactEpoch, sdk.FactSession, sdk.FactTarget, sdk.FactFrame, sdk.FactLoader, sdk.FactOrigin, sdk.FactURL, sdk.FactTitle,
	sdk.FactDialogOpen, "tab_id",
}

func filterIsValid(_ context.Context, s *session) (string, error) {
	f := s.declared.GetGuard()
	for _, c := range f.GetCompare() {
		if !slices.Contains(knownFacts, c) {
			return "", fmt.Errorf("there is no fact %q; there are %s", c, strings.Join(knownFacts, ", "))
		}
	}
	return strings.Join(f.GetMethods(), ", "), validMethods(f.GetMethods())
}

// validMethods wants at least one "Domain.name" or "Domain.*".
func validMethods(methods []string) error {
	if len(methods) == 0 {
		return errors.New("it names no method")
	}
	for _, m := range methods {
		domain, name, ok := strings.Cut(m, ".")
		if m != "*" && (!ok || domain == "" || name == "" || strings.ContainsAny(domain, "* ") || name != "*" && strings.ContainsAny(name, "* .")) {
			return fmt.Errorf(`%q is neither "Domain.method" nor "Domain.*"`, m)
		}
	}
	return nil
}

// commands are what the filter matches, at places that are and that are not.
func (s *session) commands() []sdk.GuardRequest {
	var out []sdk.GuardRequest
	for _, m := range s.declared.GetGuard().GetMethods() {
		domain, name, _ := strings.Cut(m, ".")
		if name == "*" || m == "*" {
			m = strings.TrimPrefix(domain, "*") + ".anything"
		}
		for _, params := range []string{`{}`, `{"url":"https://example.com/","text":"x","type":"mousePressed","x":1,"y":2}`, `{"url":5,"expression":{}}`} {
			for _, f := range []sdk.Facts{facts, {}, {Epoch: 1, Origin: "null", URL: "about:blank"}, {Origin: "://", URL: "://", DialogOpen: true}} {
				out = append(out, sdk.GuardRequest{
					Task: task, Facts: f, Sender: "agent",
					Command: sdk.Command{SessionID: "SESSION", Method: m, Params: json.RawMessage(params)},
				})
			}
		}
	}
	return out
}

func guardVerdictsAreValid(ctx context.Context, s *session) (string, error) {
	slowest := time.Duration(0)
	all := s.commands()
	for _, req := range all {
		what := fmt.Sprintf("%s %s at the origin %q", req.Command.Method, req.Command.Params, req.Facts.Origin)
		start := time.Now()
		params, err := s.ask.Guard(ctx, req)
		slowest = max(slowest, time.Since(start))
		var f *fault.Error
		switch {
		case errors.Is(err, fault.Denied) && errors.As(err, &f) && f.Message == "":
			return "", fmt.Errorf("%s: it is denied without a reason", what)
		case err != nil:
			if err := survived(what, err); err != nil {
				return "", err
			}
		case object(params) == nil:
			return "", fmt.Errorf("%s: the params %.100s of the rewrite are no JSON object", what, params)
		}
	}
	return fmt.Sprintf("%d commands, the slowest took %s of 500ms", len(all), slowest.Round(10*time.Microsecond)), nil
}

func commandsSideBySide(ctx context.Context, s *session) (string, error) {
	all := s.commands()
	return together(len(all), func(i int) error {
		_, err := s.ask.Guard(ctx, all[i])
		return survived(all[i].Command.Method, err)
	})
}
