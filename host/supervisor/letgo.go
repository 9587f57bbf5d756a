package supervisor

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"cdphost/host/dialog"

	"github.com/chromedp/cdproto/page"
)

// letGoTimeout bounds the wait until the browser has let go of a page's dialogs.
// It answers in milliseconds, except on a page that a dialog of its own holds.
const letGoTimeout = time.Second

// BeforeClose makes pages safe to close, by target id: each open native dialog is
// dismissed, and where none can be, every session on the page is made to forget
// it. It returns when the browser has confirmed that, because the sessions are on
// two connections, between which there is no order.
func (s *Supervisor) BeforeClose(ctx context.Context, targetIDs ...string) {
	var acks sync.WaitGroup
	s.update(func(fx *effects) {
		for _, id := range targetIDs {
			if p := s.pageLocked(id); p != nil {
				s.letGoLocked(fx, p, &acks)
			}
		}
	})
	done := make(chan struct{})
	go func() { // ends with the replies, which the end of the connection gives too
		acks.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
	case <-time.After(letGoTimeout):
	}
}

func (s *Supervisor) letGoLocked(fx *effects, p *pageState, acks *sync.WaitGroup) {
	forget := s.dialogs.Tainted(p.TargetID)
	for _, d := range s.dialogs.Pending() {
		if d.TargetID != p.TargetID || !d.Native() {
			continue
		}
		if d.Leaving { // closing frees it, and forgetting it would take the browser down
			return
		}
		if d.State != dialog.Held {
			forget = true
			continue
		}
		s.dialogs.Explain(func(x *dialog.Dialog) bool { return x.ID == d.ID }, dialog.ReasonClose)
		acks.Add(1)
		fx.post(d.SessionID, page.CommandHandleJavaScriptDialog, &page.HandleJavaScriptDialogParams{},
			func(json.RawMessage, error) { acks.Done() })
	}
	if forget {
		s.forgetLocked(fx, p, acks)
	}
}

// forgetLocked makes the browser forget the dialogs of a page, on each session
// that watches it.
func (s *Supervisor) forgetLocked(fx *effects, p *pageState, acks *sync.WaitGroup) {
	reply, done := func(json.RawMessage, error) {}, func() {}
	if acks != nil {
		acks.Add(1)
		done = acks.Done
	}
	if p.SessionID != "" {
		if acks != nil {
			acks.Add(1)
			reply = func(json.RawMessage, error) { acks.Done() }
		}
		fx.post(p.SessionID, page.CommandDisable, nil, reply)
	}
	s.member.StandbyWatch(p.TargetID, false, done)
}
