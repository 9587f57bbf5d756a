package page

import (
	"context"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

// Elements is the list of a page's interactive elements, for a snapshot.
type Elements struct {
	URL       string
	Title     string
	Text      string
	Count     int
	Truncated bool
}

// look is what Elements does, in the shape of an action.
var look = &action{name: "snapshot", schema: &jsonschema.Schema{}, reads: true}

// snapshotTimeout bounds Elements: a snapshot is worth having only while it is fresh.
const snapshotTimeout = 10 * time.Second

// Elements lists the elements of a tab, the current one for "", within maxBytes.
// It does not wait for the tab's actions. Errors are those of the actions.
func (e *Engine) Elements(ctx context.Context, tabID string, maxBytes int) (*Elements, error) {
	r := &run{Engine: e, action: look, caller: ctx}
	if err := r.pick(tabID); err != nil {
		return nil, err
	}
	timed, stop := context.WithTimeout(ctx, min(snapshotTimeout, e.opts.Timeout))
	defer stop()
	r.ctx, r.cancel = context.WithCancelCause(timed)
	defer r.cancel(nil)
	defer context.AfterFunc(e.ctx, func() { r.cancel(errAborted) })()
	if err := r.obstacle(e.host.State()); err != nil {
		return nil, err
	}
	defer r.watch()()
	tab, err := r.tab()
	if err != nil {
		return nil, err
	}
	list, err := r.list(tab, wanted{max: maxBytes})
	if err != nil {
		return nil, r.reason(err)
	}
	out := &Elements{URL: list.url, Title: list.title, Count: list.count}
	taken, text := takeLines(list.lines, maxBytes)
	out.Text = text
	out.Truncated = taken < len(list.lines) || list.cut
	return out, nil
}
