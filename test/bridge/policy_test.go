package bridge

import (
	"context"
	"sync/atomic"
	"testing"

	"cdphost/host/dialog"
	"cdphost/host/supervisor"
)

// firstThen holds bridged dialogs until it is told to dismiss them, and holds
// native ones.
type firstThen struct{ dismiss atomic.Bool }

func (p *firstThen) Decide(_ context.Context, req supervisor.PolicyRequest) (dialog.Verdict, error) {
	if p.dismiss.Load() && !req.Dialog.Native() {
		return dialog.Verdict{Do: dialog.DoDismiss}, nil
	}
	return dialog.Verdict{Do: dialog.DoHold}, nil
}

// always decides the same.
type always string

func (p always) Decide(context.Context, supervisor.PolicyRequest) (dialog.Verdict, error) {
	return dialog.Verdict{Do: string(p)}, nil
}

func pendingNative(t testing.TB, s *supervisor.Supervisor) dialog.Dialog {
	t.Helper()
	var d dialog.Dialog
	until(t, s, "a native dialog", func(snap *supervisor.Snapshot) bool {
		for _, x := range snap.Pending {
			if x.Native() && x.State == dialog.Held {
				d = x
				return true
			}
		}
		return false
	})
	return d
}
