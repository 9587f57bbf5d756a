package cdptest

import (
	"context"
	"sync"
	"time"
)

// startDismisser connects the proxy to its browser to dismiss native dialogs. It attaches to every
// page with Page enabled and pauses none.
func (p *Proxy) startDismisser(ctx context.Context) error {
	c, err := Connect(ctx, p.opts.Target)
	if err != nil {
		return err
	}
	d := &dismisser{c: c, after: p.opts.AutoDismiss}
	p.work.Go(func() {
		d.run(p.run)
		c.Close()
		d.timers.Wait()
	})
	_, err = c.Call(ctx, "", "Target.setDiscoverTargets", M{"discover": true, "filter": []M{{"type": kindPage}}})
	return err
}

// dismisser dismisses native dialogs some time after they opened.
type dismisser struct {
	c      *Client
	after  time.Duration
	timers sync.WaitGroup
}

func (d *dismisser) run(ctx context.Context) {
	mark := 0
	for {
		e, err := d.c.Wait(ctx, mark, func(Event) bool { return true })
		if err != nil {
			return
		}
		mark = e.Seq
		switch e.Method {
		case "Target.targetCreated":
			d.c.Send(Command{"", "Target.attachToTarget", M{"targetId": e.Get("targetInfo.targetId"), "flatten": true}})
		case "Target.attachedToTarget":
			d.c.Send(Command{e.Get("sessionId"), "Page.enable", nil})
		case "Page.javascriptDialogOpening":
			d.timers.Go(func() { d.dismiss(ctx, e.SessionID) })
		}
	}
}

func (d *dismisser) dismiss(ctx context.Context, sessionID string) {
	timer := time.NewTimer(d.after)
	defer timer.Stop()
	select {
	case <-timer.C:
		d.c.Send(Command{sessionID, "Page.handleJavaScriptDialog", M{"accept": false}})
	case <-ctx.Done():
	}
}
