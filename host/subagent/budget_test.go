package subagent_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"cdphost/host/subagent"
	"cdphost/host/subagent/modeltest"
)

// wander clicks something else each time, for ever.
func wander(r *modeltest.Request) modeltest.Turn {
	return modeltest.Turn{Text: "On I go.", Calls: []modeltest.Call{{
		Name: "browser", Args: fmt.Sprintf(`{"type":"click","uid":"e%d"}`, r.Number),
	}}, In: 1000, Out: 10}
}

func TestEndlessLoop(t *testing.T) {
	t.Parallel()
	for name, script := range map[string][]string{
		"one action":  {`{"type":"click","uid":"e1"}`},
		"two actions": {`{"type":"click","uid":"e1"}`, `{"type":"click","uid":"e2"}`},
	} {
		for _, fails := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, failing %v", name, fails), func(t *testing.T) {
				t.Parallel()
				warned := false
				s := modeltest.Play(t, func(r *modeltest.Request) modeltest.Turn {
					warned = warned || strings.Contains(r.Last(), "Do something else")
					return modeltest.Browse(script[(r.Number-1)%len(script)])
				})
				b := newBox()
				b.text = func(n int) string {
					if fails {
						return fmt.Sprintf("the clock shows %d", n) // no news all the same
					}
					return "the same"
				}
				if fails {
					b.on["click"] = failing("element_obscured")
				}
				res := run(t, job(model(t, s), b))
				if want := 6 * len(script); res.Status != subagent.Failed || res.Actions != want {
					t.Errorf("%s after %d actions, want failed after %d", res.Status, res.Actions, want)
				}
				if !warned || !strings.Contains(res.Summary, "the same outcome 6 times") {
					t.Errorf("warned %v, summary %q", warned, res.Summary)
				}
			})
		}
	}
}

// The same press that changes the page each time is no circle.
func TestPagingIsNoLoop(t *testing.T) {
	t.Parallel()
	s := modeltest.Play(t, func(r *modeltest.Request) modeltest.Turn {
		if r.Number > 20 {
			return modeltest.Complete("All pages seen.")
		}
		return modeltest.Browse(`{"type":"click","uid":"e1"}`)
	})
	if res := run(t, job(model(t, s), newBox())); res.Status != subagent.Completed {
		t.Errorf("result = %+v", res)
	}
}

func TestActionBudget(t *testing.T) {
	t.Parallel()
	t.Run("the model comes to an end", func(t *testing.T) {
		t.Parallel()
		s := modeltest.Play(t, func(r *modeltest.Request) modeltest.Turn {
			if slices.Equal(r.Tools, []string{"complete"}) {
				return modeltest.Complete("Half of it is done.")
			}
			return wander(r)
		})
		b := newBox()
		j := job(model(t, s), b)
		j.Budget.Actions = 3
		res := run(t, j)
		if res.Status != subagent.BudgetExhausted || res.Summary != "Half of it is done." || len(b.acted()) != 3 {
			t.Errorf("result = %+v, actions %q", res, b.acted())
		}
	})
	t.Run("it does not", func(t *testing.T) {
		t.Parallel()
		b := newBox()
		j := job(model(t, modeltest.Play(t, wander)), b)
		j.Budget.Actions = 3
		res := run(t, j)
		if res.Status != subagent.BudgetExhausted || len(b.acted()) != 3 {
			t.Fatalf("result = %+v, actions %q", res, b.acted())
		}
		for _, want := range []string{"Stopped after 3 actions: the actions are used up.", "3. click e3: ok", "On I go."} {
			if !strings.Contains(res.Summary, want) {
				t.Errorf("the summary lacks %q: %s", want, res.Summary)
			}
		}
	})
	t.Run("it is enough", func(t *testing.T) {
		t.Parallel()
		s := modeltest.New(t, modeltest.Browse(`{"type":"click","uid":"e1"}`), modeltest.Complete("Done."))
		j := job(model(t, s), newBox())
		j.Budget.Actions = 1
		if res := run(t, j); res.Status != subagent.Completed {
			t.Errorf("result = %+v", res)
		}
		if last := s.Requests()[1].Last(); !strings.Contains(last, "No actions are left") {
			t.Errorf("the model was told %q", last)
		}
	})
}

func TestTokenBudget(t *testing.T) {
	t.Parallel()
	overBoth(t, func(t *testing.T, model func(string) subagent.Model) {
		s := modeltest.Play(t, wander)
		j := job(model(s.URL), newBox())
		j.Budget.Tokens = 5000
		res := run(t, j)
		if res.Status != subagent.BudgetExhausted || !strings.Contains(res.Summary, "token budget") {
			t.Errorf("result = %+v", res)
		}
		if res.Usage.Total() > 5000 || res.Usage.Total() < 2000 {
			t.Errorf("usage = %+v", res.Usage)
		}
		for _, r := range s.Requests() {
			if r.MaxTokens <= 0 || r.MaxTokens >= 5000 {
				t.Errorf("a reply of %d tokens was allowed", r.MaxTokens)
			}
		}
	})
}

func TestTimeBudget(t *testing.T) {
	t.Parallel()
	overBoth(t, func(t *testing.T, model func(string) subagent.Model) {
		s := modeltest.New(t, modeltest.Turn{Hang: true})
		j := job(model(s.URL), newBox())
		j.Budget.Time = 20 * time.Millisecond
		res := run(t, j)
		if res.Status != subagent.BudgetExhausted || !strings.Contains(res.Summary, "the time is used up") {
			t.Errorf("result = %+v", res)
		}
	})
}

func TestCancel(t *testing.T) {
	t.Parallel()
	overBoth(t, func(t *testing.T, model func(string) subagent.Model) {
		t.Run("while it thinks", func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			s := modeltest.Play(t, func(*modeltest.Request) modeltest.Turn {
				cancel()
				return modeltest.Turn{Hang: true}
			})
			res, err := subagent.New(subagent.Options{}).Run(ctx, job(model(s.URL), newBox()))
			if err != nil || res.Status != subagent.Cancelled {
				t.Errorf("Run = %+v, %v", res, err)
			}
		})
		t.Run("while it acts", func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			s := modeltest.New(t, modeltest.Browse(`{"type":"click","uid":"e1"}`))
			b := newBox()
			b.on["click"] = func(ctx context.Context, _ *box, _ string) *subagent.Output {
				cancel()
				<-ctx.Done()
				return failure("click", "internal_error")
			}
			res, err := subagent.New(subagent.Options{}).Run(ctx, job(model(s.URL), b))
			if err != nil || res.Status != subagent.Cancelled || !strings.Contains(res.Summary, "click e1: interrupted") {
				t.Errorf("Run = %+v, %v", res, err)
			}
		})
		t.Run("while it waits to ask again", func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			s := modeltest.New(t, modeltest.Turn{Status: 503})
			a := subagent.New(subagent.Options{Sleep: func(ctx context.Context, _ time.Duration) error {
				cancel()
				<-ctx.Done()
				return ctx.Err()
			}})
			res, err := a.Run(ctx, job(model(s.URL), newBox()))
			if err != nil || res.Status != subagent.Cancelled {
				t.Errorf("Run = %+v, %v", res, err)
			}
		})
	})
}

// held is a job whose model waits until it is let go.
func held(t *testing.T, entered *atomic.Int32, at chan<- struct{}, let <-chan struct{}) subagent.Job {
	t.Helper()
	s := modeltest.Play(t, func(*modeltest.Request) modeltest.Turn {
		entered.Add(1)
		at <- struct{}{}
		<-let
		return modeltest.Complete("Done.")
	})
	return job(model(t, s), newBox())
}

func TestOneAfterAnother(t *testing.T) {
	t.Parallel()
	a := subagent.New(subagent.Options{})
	var entered atomic.Int32
	at, let := make(chan struct{}, 4), make(chan struct{})
	waiting := make(chan string, 4)
	ended := make(chan error, 4)
	begin := func(ctx context.Context, task string) {
		j := held(t, &entered, at, let)
		j.Task = task
		j.Report = func(_, _ int, line string) { waiting <- line }
		go func() {
			_, err := a.Run(ctx, j)
			ended <- err
		}()
	}
	begin(t.Context(), "one")
	<-at
	begin(t.Context(), "two") // another task runs beside
	<-at
	begin(t.Context(), "one") // the same one waits
	if line := <-waiting; line != "waiting for another call on this task" {
		t.Errorf("progress = %q", line)
	}
	ctx, cancel := context.WithCancel(t.Context())
	begin(ctx, "one") // and can be cancelled meanwhile
	<-waiting
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the waiting one: %v", err)
	}
	if n := entered.Load(); n != 2 {
		t.Errorf("%d models were asked, want 2", n)
	}
	close(let)
	<-at
	for range 3 {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

func TestOpenFails(t *testing.T) {
	t.Parallel()
	broken := errors.New("no browser")
	j := job(model(t, modeltest.New(t)), nil)
	j.Open = func(context.Context) (subagent.Toolbox, error) { return nil, broken }
	if _, err := subagent.New(subagent.Options{}).Run(t.Context(), j); !errors.Is(err, broken) {
		t.Errorf("Run: %v", err)
	}
}
