package tool

import (
	"context"
	"encoding/json"
	"time"

	"cdphost/sdk/fault"
)

// heldTime is how long a command may take on a page that a bridged dialog
// holds: some bridges leave the page readable, some do not.
const heldTime = 2 * time.Second

// send sends the command and waits for its reply, as long as one can come.
func (d *destination) send(ctx context.Context, t Task, method string) (json.RawMessage, error) {
	if d.tabID == "" {
		raw, err := t.Call(ctx, "", method, d.params, nil)
		if err != nil {
			return nil, cdpFault(ctx, method, err)
		}
		return raw, nil
	}
	s := t.Snapshot()
	p, err := pageOf(s, d.tabID)
	if err != nil {
		return nil, err
	}
	if d.session == "" {
		return nil, fault.New(fault.BrowserGone, "The page %s has no session at the moment. Try again in a moment; nothing was sent.", d.tabID)
	}
	held, blocked := blocks(s, p, d.session)
	switch {
	case blocked && held.Native() && !whileBlocked[method]:
		return nil, blockedError(s, held, false)
	case blocked && held.Native(), p.Crashed, p.Discarded:
		return d.plain(ctx, t, method)
	case blocked:
		short, cancel := context.WithTimeoutCause(ctx, heldTime, blockedError(s, held, true))
		defer cancel()
		return d.plain(short, t, method)
	}
	var raw json.RawMessage
	err = during(ctx, t, d.tabID, d.session, "", func(ctx context.Context) (err error) {
		raw, err = d.plain(ctx, t, method)
		return err
	})
	return raw, err
}

func (d *destination) plain(ctx context.Context, t Task, method string) (json.RawMessage, error) {
	raw, err := t.Call(ctx, d.session, method, d.params, nil)
	if err != nil {
		return nil, cdpFault(ctx, method, err)
	}
	return raw, nil
}
