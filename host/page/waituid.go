package page

import (
	"context"
	"errors"
)

// waitUID waits for the one node of a uid, in its own document.
func (r *run) waitUID(ctx context.Context, a *waitArgs) (map[string]any, error) {
	tab, err := r.tab()
	if err != nil {
		return nil, err
	}
	k, ok, _ := r.uids.find(a.UID)
	if !ok {
		_, err := r.locateUID(tab, a.UID, nil)
		return nil, err
	}
	f, ok := tab.Frame(k.frame)
	if !ok {
		if a.absent() {
			return map[string]any{"state": a.State}, nil
		}
		return nil, r.stale(tab, &k, "frame gone")
	}
	w := r.waitIn(ctx, f, k.doc, map[string]any{"state": a.State, "n": k.n})
	switch {
	case errors.Is(w.err, errOtherDocument) || gone(w.err):
		if a.absent() {
			return map[string]any{"state": a.State, "cause": "navigated"}, nil
		}
		return nil, r.stale(tab, &k, "navigated")
	case w.err != nil:
		return nil, w.err
	case !w.Met:
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return map[string]any{"state": a.State, "uid": a.UID}, nil
}
