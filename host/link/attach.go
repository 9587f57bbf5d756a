package link

import (
	"context"
	"encoding/json"
	"errors"

	"cdphost/host/cdp"
	"cdphost/sdk/fault"

	browserdom "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/target"
)

// attach makes a new epoch: a connection, the browser-level set-up, and the
// members' pages found again.
func (l *Link) attach(ctx context.Context) (*cdp.Conn, error) {
	fresh, err := l.openBrowser(ctx)
	if err != nil {
		return nil, err
	}
	t, err := l.opts.Dial(ctx, l.browser.url)
	if err != nil {
		return nil, err
	}
	if fresh {
		l.closeStandby()
	}
	l.mu.Lock()
	l.epoch++
	e := &epoch{link: l, number: l.epoch}
	clear(l.sessions)
	if fresh {
		clear(l.targets)
		clear(l.urls)
		clear(l.contexts)
	}
	l.mu.Unlock()
	conn := cdp.NewConn(t, cdp.Options{ReadLimit: l.opts.ReadLimit, Handler: e.handle, Logger: l.opts.Logger})
	l.opts.Meter.add(conn)
	caps, err := l.prepare(ctx, conn)
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	l.journal.at(l.browser.url)
	l.undoLeft(ctx, conn, fresh)
	// Until here the browser has been told to report nothing, so no event was
	// missed by e.
	l.mu.Lock()
	if l.standby != nil {
		caps.Has[CapStandby] = true
	}
	if fresh {
		l.standbyRefused = false
	}
	l.conn, l.caps, l.settled = conn, caps, make(chan struct{})
	members := l.membersLocked()
	l.mu.Unlock()
	for _, m := range members {
		m.epochBegan(e.number, fresh)
	}
	if err := l.findReplaced(ctx, conn); err != nil {
		l.endEpoch(conn, err)
		return nil, err
	}
	e.open(conn)
	if err := l.announce(ctx, conn); err != nil {
		l.endEpoch(conn, err)
		return nil, err
	}
	l.mu.Lock()
	l.settleLocked()
	l.mu.Unlock()
	l.capabilitiesChanged()
	if err := l.reconcile(ctx, conn, e.number, members); err != nil {
		l.endEpoch(conn, err)
		return nil, err
	}
	return conn, nil
}

// prepare asks the browser who it is; only an answer makes a port a browser.
func (l *Link) prepare(ctx context.Context, conn *cdp.Conn) (Capabilities, error) {
	caps := Capabilities{Has: map[string]bool{}}
	raw, err := conn.Call(ctx, cdp.Command{Method: browserdom.CommandGetVersion}, cdp.WithControl())
	if err != nil {
		return caps, fault.Wrap(err, fault.EndpointNotCDP,
			"what listens at %s did not answer Browser.getVersion, so it is no browser that cdphost can use", l.browser.url)
	}
	var v browserdom.GetVersionResult
	if err := cdp.Unmarshal(raw, &v); err != nil {
		return caps, fault.Wrap(err, fault.EndpointNotCDP, "%s answered Browser.getVersion with something else than a version", l.browser.url)
	}
	caps.Product = v.Product
	return caps, nil
}

// announce turns on what the link hears of targets. Attachment comes first: what
// is discovered is attached to by id only where the browser does not do it.
func (l *Link) announce(ctx context.Context, conn *cdp.Conn) error {
	if l.spec.UserOwned {
		l.mu.Lock()
		l.caps.Has[CapRootAttach] = false
		l.mu.Unlock()
	} else if err := l.probe(ctx, conn, autoAttach("", only(KindPage)), CapRootAttach,
		"the browser refuses Target.setAutoAttach: init scripts of popups may come late"); err != nil {
		return err
	}
	discover := command("", target.CommandSetDiscoverTargets, &target.SetDiscoverTargetsParams{Discover: true, Filter: only(KindPage)})
	return l.probe(ctx, conn, discover, CapDiscover,
		"the browser does not report its targets (Target.setDiscoverTargets): closed pages may be noticed late")
}

// probe calls cmd and records whether the browser can. Only a broken connection
// is an error.
func (l *Link) probe(ctx context.Context, conn *cdp.Conn, cmd cdp.Command, capability, degraded string) error {
	_, err := conn.Call(ctx, cmd, cdp.WithControl())
	var refused *cdp.Error
	if err != nil && !errors.As(err, &refused) {
		return fault.Wrap(err, fault.EndpointUnreachable, "the connection to %s broke during %s", l.browser.url, cmd.Method)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.caps.set(capability, err == nil, degraded)
	return nil
}

// reconcile finds the members' pages again after a reconnect.
func (l *Link) reconcile(ctx context.Context, conn *cdp.Conn, epoch uint64, members []*Member) error {
	if len(members) == 0 {
		return nil
	}
	before := l.ownedTargets()
	raw, err := conn.Call(ctx, cdp.Command{Method: target.CommandGetTargets}, cdp.WithControl())
	if err != nil {
		return fault.Wrap(err, fault.EndpointUnreachable, "the connection to %s broke while its pages were listed", l.browser.url)
	}
	var res target.GetTargetsResult
	if err := cdp.Unmarshal(raw, &res); err != nil {
		return fault.Wrap(err, fault.EndpointNotCDP, "%s answered Target.getTargets with something else than targets", l.browser.url)
	}
	alive := make(map[string]bool, len(res.TargetInfos))
	for _, info := range res.TargetInfos {
		if info.Type == string(KindPage) {
			alive[string(info.TargetID)] = true
		}
	}
	for id := range alive {
		l.reattach(conn, id)
	}
	l.mu.Lock()
	for id := range l.targets {
		switch {
		case alive[id]:
		case before[id]:
			delete(l.targets, id)
			delete(l.urls, id)
		default: // it came after the browser was asked
			alive[id] = true
		}
	}
	l.mu.Unlock()
	for _, m := range members {
		m.view.Reconciled(epoch, alive)
	}
	return nil
}

// reattach asks for a session on a member's page that auto-attach did not give.
func (l *Link) reattach(conn *cdp.Conn, targetID string) {
	l.mu.Lock()
	owned := l.targets[targetID] != nil
	for _, s := range l.sessions {
		if s.target.TargetID == targetID && !s.extra {
			owned = false
			break
		}
	}
	l.mu.Unlock()
	if owned {
		l.attachTo(conn, targetID, nil)
	}
}

// attachTo posts Target.attachToTarget; the session arrives as an event. failed,
// when not nil, learns of a refusal on the reader goroutine.
func (l *Link) attachTo(conn *cdp.Conn, targetID string, failed func(error)) {
	flat := true
	cmd := command("", target.CommandAttachToTarget, &target.AttachToTargetParams{TargetID: target.ID(targetID), Flatten: &flat})
	conn.Post([]cdp.Command{cmd}, func(_ int, _ json.RawMessage, err error) {
		if err != nil && failed != nil {
			failed(err)
		}
	})
}
