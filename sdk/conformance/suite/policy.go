package suite

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"cdphost/sdk"
)

var policyChecks = []check{
	{
		name: "verdicts are valid", hook: sdk.HookDialogPolicy, run: verdictsAreValid,
		advice: "return Hold, Accept, Dismiss or Ask; Text only with Accept, Then only Accept or Dismiss, no negative Timeout",
	},
	{
		name: "an unknown policy is an error", hook: sdk.HookDialogPolicy, run: unknownPolicyIsAnError,
		advice: "return an error for a DialogRequest.Policy that is none of Info.Policies",
	},
	{
		name: "dialogs are decided side by side", hook: sdk.HookDialogPolicy, run: dialogsSideBySide,
		advice: "Decide is called from several goroutines: guard what it shares, and hold no lock while it waits",
	},
}

// dialogs are what pages show, and what only a hostile one would.
func dialogs(policy string) []sdk.DialogRequest {
	var out []sdk.DialogRequest
	add := func(t sdk.Task, kind sdk.DialogType, message, url string, frame sdk.FrameKind) {
		out = append(out, sdk.DialogRequest{
			Policy: policy, Task: t, TopURL: "https://example.com/", FrameKind: frame,
			Dialog: sdk.Dialog{
				ID: fmt.Sprintf("d-%d", len(out)+1), Type: kind, Message: message, DefaultPrompt: "default", URL: url,
				FrameID: "FRAME", TabID: "t1", SessionID: "SESSION", OpenedAt: time.Unix(1_700_000_000, 0),
			},
		})
	}
	for _, kind := range []sdk.DialogType{sdk.Alert, sdk.Confirm, sdk.Prompt, sdk.BeforeUnload} {
		for _, frame := range []sdk.FrameKind{sdk.FrameTop, sdk.FrameSameProcess, sdk.FrameOOPIF} {
			add(task, kind, "Are you sure?", "https://example.com/page", frame)
		}
	}
	for _, url := range []string{"", "about:srcdoc", "data:text/html,x", "blob:https://example.com/1", "://", "https://[::1", "https://user@host:99999/\x7f"} {
		add(task, sdk.Confirm, "?", url, sdk.FrameTop)
	}
	for _, message := range []string{"", strings.Repeat("x", 10_240), "\u202e\x00{{token}}$(rm)\n\r\t", "\U0001f600"} {
		add(task, sdk.Prompt, message, "https://example.com/", sdk.FrameTop)
	}
	add(unknown, sdk.Alert, "of a task that has ended", "https://example.com/", sdk.FrameTop)
	return out
}

func verdictsAreValid(ctx context.Context, s *session) (string, error) {
	asked, slowest := 0, time.Duration(0)
	for _, policy := range s.report.Policies {
		for _, req := range dialogs(policy) {
			what := fmt.Sprintf("policy %s, %s %.20q of %.40q in a %s frame", policy, req.Dialog.Type, req.Dialog.Message, req.Dialog.URL, req.FrameKind)
			start := time.Now()
			v, err := s.ask.Decide(ctx, req)
			slowest = max(slowest, time.Since(start))
			asked++
			if req.Task == unknown && err != nil {
				err = survived(what, err)
			} else if err == nil {
				err = validVerdict(v)
			}
			if err != nil {
				return "", fmt.Errorf("%s: %w", what, err)
			}
		}
	}
	return fmt.Sprintf("%d dialogs, the slowest took %s of 1s", asked, slowest.Round(10*time.Microsecond)), nil
}

func validVerdict(v sdk.Verdict) error {
	switch v.Do {
	case sdk.Hold, sdk.Accept, sdk.Dismiss, sdk.Ask:
	default:
		return fmt.Errorf("the verdict %q is not known", v.Do)
	}
	switch {
	case v.Then != "" && v.Then != sdk.Accept && v.Then != sdk.Dismiss:
		return fmt.Errorf("the watchdog can't %q", v.Then)
	case v.Timeout < 0:
		return fmt.Errorf("the timeout %s is negative", v.Timeout)
	case v.Text != nil && v.Do != sdk.Accept:
		return fmt.Errorf("the verdict %q has a text", v.Do)
	}
	return nil
}

func unknownPolicyIsAnError(ctx context.Context, s *session) (string, error) {
	req := dialogs("no_such_policy")[0]
	v, err := s.ask.Decide(ctx, req)
	if err == nil && len(s.report.Policies) > 1 {
		return "", fmt.Errorf("it decided %q", v.Do)
	}
	return "", survived("an unknown policy", err)
}

func dialogsSideBySide(ctx context.Context, s *session) (string, error) {
	var all []sdk.DialogRequest
	for _, policy := range s.report.Policies {
		all = append(all, dialogs(policy)...)
	}
	return together(len(all), func(i int) error {
		_, err := s.ask.Decide(ctx, all[i])
		return survived("a dialog", err)
	})
}

// together makes n calls at once.
func together(n int, call func(int) error) (string, error) {
	errs := make([]error, n)
	var calls sync.WaitGroup
	for i := range n {
		calls.Go(func() { errs[i] = call(i) })
	}
	calls.Wait()
	return fmt.Sprintf("%d at once", n), errors.Join(errs...)
}
