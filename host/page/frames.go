package page

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"cdphost/sdk/fault"
)

// tab returns the action's page as it is now.
func (r *run) tab() (*Tab, error) {
	st := r.host.State()
	tab, ok := st.Tab(r.tabID)
	if !ok {
		return nil, noTab(st, r.tabID)
	}
	if len(tab.Frames) == 0 {
		return nil, fault.New(fault.InternalError, "the page has no frame yet; try again")
	}
	return tab, nil
}

// owner returns the number that the element of a child frame has in its parent.
func (r *run) owner(ctx context.Context, parent, child Frame) (int, error) {
	if w := r.worlds.get(parent); w != nil {
		if n, ok := r.worlds.owner(w, child.ID); ok {
			return n, nil
		}
	}
	if _, err := r.ask(ctx, parent, "", "about", nil, nil); err != nil { // makes sure of the world
		return 0, err
	}
	w := r.worlds.get(parent)
	if w == nil {
		return 0, errOtherDocument
	}
	raw, err := r.callIn(ctx, parent.Session, "DOM.getFrameOwner", map[string]any{"frameId": child.ID})
	if err != nil {
		return 0, err
	}
	var at struct {
		BackendNodeID int64 `json:"backendNodeId"`
	}
	if err := json.Unmarshal(raw, &at); err != nil {
		return 0, err
	}
	object, err := r.resolve(ctx, w, at.BackendNodeID)
	if err != nil {
		return 0, err
	}
	raw, err = r.callIn(ctx, w.session, "Runtime.callFunctionOn", map[string]any{
		"functionDeclaration": "function(k){return globalThis[k].owner(this)}",
		"objectId":            object, "arguments": []argument{{r.key}}, "returnByValue": true,
	})
	if err != nil {
		return 0, err
	}
	var n int
	if err := value(raw, &n); err != nil {
		return 0, err
	}
	r.worlds.setOwner(w, child.ID, n)
	return n, nil
}

// resolve returns a remote object of the isolated world for a node.
func (r *run) resolve(ctx context.Context, w *world, backendNodeID int64) (string, error) {
	raw, err := r.callIn(ctx, w.session, "DOM.resolveNode", map[string]any{
		"backendNodeId": backendNodeID, "executionContextId": w.context, "objectGroup": r.key,
	})
	if err != nil {
		return "", err
	}
	var reply struct {
		Object struct {
			ObjectID string `json:"objectId"`
		} `json:"object"`
	}
	if err := json.Unmarshal(raw, &reply); err != nil {
		return "", err
	}
	if reply.Object.ObjectID == "" {
		return "", errors.New("page: a node has no object")
	}
	return reply.Object.ObjectID, nil
}

// toTop maps a point of a frame to the page's viewport. With scroll, the frames
// on the way are brought into view. An element over the frame is element_obscured.
func (r *run) toTop(f Frame, x, y float64, scroll bool) (float64, float64, error) {
	tab, err := r.tab()
	if err != nil {
		return 0, 0, err
	}
	for f.ParentID != "" {
		parent, ok := tab.Frame(f.ParentID)
		if !ok {
			break
		}
		n, err := r.owner(r.ctx, parent, f)
		if err != nil {
			return 0, 0, fmt.Errorf("finding the element of frame %s: %w", f.ID, err)
		}
		var at struct {
			X     float64 `json:"x"`
			Y     float64 `json:"y"`
			Cover string  `json:"cover"`
			Why   string  `json:"why"`
		}
		args := map[string]any{"n": n, "x": x, "y": y, "scroll": scroll}
		if _, err := r.ask(r.ctx, parent, "", "reveal", args, &at); err != nil {
			return 0, 0, err
		}
		if at.Why != "" {
			return 0, 0, errOtherDocument
		}
		if at.Cover != "" && scroll {
			return 0, 0, obscured(at.Cover)
		}
		x, y, f = at.X, at.Y, parent
	}
	return x, y, nil
}

func obscured(cover string) error {
	return fault.New(fault.ElementObscured, "it is covered by %s; deal with that first (close it, scroll, or wait for it to go)", cover).
		With("covered_by", cover)
}
