package tool

import (
	"context"
	"testing"

	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// A dialog that its policy closes at once ends no wait.
func TestDuringOutlivesADecidedDialog(t *testing.T) {
	t.Parallel()
	_, task, _ := bench()
	err := during(t.Context(), task, "t1", topSession, "", func(ctx context.Context) error {
		d := confirm("d-1", "F-TOP")
		d.Deciding = true
		task.open(d)
		task.update(func(s *supervisor.Snapshot, p *supervisor.Page) { s.Pending, p.BlockedBy = nil, "" })
		return ctx.Err()
	})
	if err != nil {
		t.Error(err)
	}
}

// A policy that does not decide in time leaves the dialog to the agent.
func TestDuringLosesPatience(t *testing.T) {
	t.Parallel()
	_, task, _ := bench()
	err := during(t.Context(), task, "t1", topSession, "", func(ctx context.Context) error {
		d := confirm("d-1", "F-TOP")
		d.Deciding = true
		task.open(d)
		<-ctx.Done()
		return ctx.Err()
	})
	if fault.CodeOf(err) != fault.BlockedByDialog {
		t.Errorf("err = %v", err)
	}
}
