package tool

import (
	"testing"
	"time"

	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

func TestBudgetLeft(t *testing.T) {
	t.Parallel()
	now := time.Unix(1000, 0)
	for _, tc := range []struct {
		name   string
		budget Budget
		used   spending
		want   Budget
		says   string
	}{
		{"no limit", Budget{}, spending{actions: 5, since: now.Add(-time.Hour)}, Budget{}, ""},
		{"some left", Budget{Actions: 3, Time: time.Minute}, spending{2, now.Add(-20 * time.Second)}, Budget{1, 40 * time.Second}, ""},
		{"not begun", Budget{Actions: 3, Time: time.Minute}, spending{}, Budget{3, time.Minute}, ""},
		{"no actions", Budget{Actions: 3}, spending{actions: 3}, Budget{}, `The task "a" has used its 3 actions. Report what you have; browser_disconnect ends it.`},
		{"no time", Budget{Time: time.Minute}, spending{since: now.Add(-time.Minute)}, Budget{}, `The task "a" has used its 60 seconds. Report what you have; browser_disconnect ends it.`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got, err := tc.budget.left(tc.used, now, "a")
			if got != tc.want {
				t.Errorf("left %+v, want %+v", got, tc.want)
			}
			if tc.says == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if fault.CodeOf(err) != fault.Denied || asFault(err).Message != tc.says {
				t.Errorf("err = %v", err)
			}
		})
	}
}

func TestATaskHasTheBudgetOfItsToolset(t *testing.T) {
	t.Parallel()
	b := newLocalBench(t)
	b.opts.Budget = func(toolset string) Budget {
		if toolset == "core" {
			return Budget{Actions: 2}
		}
		return Budget{}
	}
	kit := &Kit{Directory: b.Local}
	if _, err := b.Start(t.Context(), "ada", "a", core); err != nil {
		t.Fatal(err)
	}
	for i, want := range []fault.Code{"", "", fault.Denied} {
		if got := fault.CodeOf(kit.spend("ada", "a")); got != want {
			t.Errorf("action %d: %q, want %q", i+1, got, want)
		}
	}
	if _, err := kit.left("ada", "a", &Toolset{Name: "other"}); fault.CodeOf(err) != fault.Denied {
		t.Errorf("through another toolset: %v", err)
	}
	if left, err := kit.left("ada", "new", core); err != nil || left.Actions != 2 {
		t.Errorf("a new task: %+v, %v", left, err)
	}
	b.forget(t.Context(), supervisor.Key{Caller: "ada", TaskID: "a"})
	if left, err := kit.left("ada", "a", core); err != nil || left.Actions != 2 {
		t.Errorf("a task that was forgotten: %+v, %v", left, err)
	}
	if err := kit.spend("ada", "a"); err != nil {
		t.Errorf("it: %v", err)
	}
}

func TestTighter(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ a, b, want int }{{0, 0, 0}, {0, 3, 3}, {3, 0, 3}, {3, 2, 2}, {2, 3, 2}} {
		if got := tighter(tc.a, tc.b); got != tc.want {
			t.Errorf("tighter(%d, %d) = %d, want %d", tc.a, tc.b, got, tc.want)
		}
	}
}

func TestRedactorLearnsNewSecrets(t *testing.T) {
	t.Parallel()
	r := NewRedactor("the-old-secret")
	r.Know("the-new-secret")
	if got, n := r.Text("the-old-secret the-new-secret"); n != 1 || got != "the-old-secret [redacted]" {
		t.Errorf("%d in %q", n, got)
	}
}
