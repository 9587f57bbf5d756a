package page

import (
	"context"
	"encoding/json"
	"sync"
)

// closedDepth is how deep closed shadow roots may stand inside each other.
const closedDepth = 4

// suspectsKeep bounds how many elements of a document are looked into at a time.
const suspectsKeep = 100

// learnClosed hands the closed shadow roots of suspected elements to the walker,
// which can't see them, and tells whether there were any. DOM.describeNode shows them.
func (r *run) learnClosed(ctx context.Context, f Frame) (bool, error) {
	w := r.worlds.get(f)
	if w == nil {
		return false, errOtherDocument
	}
	hosts, err := r.suspects(ctx, w)
	if err != nil {
		return false, err
	}
	defer func() {
		_, _ = r.callIn(ctx, w.session, "Runtime.releaseObjectGroup", map[string]any{"objectGroup": r.key}) // frees memory only
	}()
	var (
		wg    sync.WaitGroup
		mu    sync.Mutex
		found bool
	)
	limit := make(chan struct{}, 8)
	for _, host := range hosts {
		limit <- struct{}{}
		wg.Go(func() {
			defer func() { <-limit }()
			if r.learn(ctx, w, host) {
				mu.Lock()
				found = true
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return found, nil
}

func (r *run) suspects(ctx context.Context, w *world) ([]string, error) {
	raw, err := r.callIn(ctx, w.session, "Runtime.callFunctionOn", map[string]any{
		"functionDeclaration": "function(k){return globalThis[k].suspects()}",
		"executionContextId":  w.context, "arguments": []argument{{r.key}}, "objectGroup": r.key,
	})
	if err != nil {
		return nil, err
	}
	var list struct {
		Result struct {
			ObjectID string `json:"objectId"`
		} `json:"result"`
	}
	if err := json.Unmarshal(raw, &list); err != nil || list.Result.ObjectID == "" {
		return nil, err
	}
	raw, err = r.callIn(ctx, w.session, "Runtime.getProperties", map[string]any{"objectId": list.Result.ObjectID, "ownProperties": true})
	if err != nil {
		return nil, err
	}
	var properties struct {
		Result []struct {
			Value struct {
				ObjectID string `json:"objectId"`
				Subtype  string `json:"subtype"`
			} `json:"value"`
		} `json:"result"`
	}
	if err := json.Unmarshal(raw, &properties); err != nil {
		return nil, err
	}
	var out []string
	for _, p := range properties.Result {
		if p.Value.Subtype == "node" && len(out) < suspectsKeep {
			out = append(out, p.Value.ObjectID)
		}
	}
	return out, nil
}

// learn looks into one element. One that went away meanwhile has nothing to show.
func (r *run) learn(ctx context.Context, w *world, host string) bool {
	raw, err := r.callIn(ctx, w.session, "DOM.describeNode", map[string]any{"objectId": host})
	if err != nil {
		return false
	}
	var described struct {
		Node struct {
			ShadowRoots []struct {
				BackendNodeID  int64  `json:"backendNodeId"`
				ShadowRootType string `json:"shadowRootType"`
			} `json:"shadowRoots"`
		} `json:"node"`
	}
	if err := json.Unmarshal(raw, &described); err != nil {
		return false
	}
	for _, root := range described.Node.ShadowRoots {
		if root.ShadowRootType != "closed" {
			continue
		}
		object, err := r.resolve(ctx, w, root.BackendNodeID)
		if err != nil {
			return false
		}
		_, err = r.callIn(ctx, w.session, "Runtime.callFunctionOn", map[string]any{
			"functionDeclaration": "function(k,root){globalThis[k].learnRoot(this,root)}",
			"objectId":            host,
			"arguments":           []any{argument{r.key}, map[string]any{"objectId": object}},
		})
		return err == nil
	}
	return false
}
