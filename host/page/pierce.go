package page

import (
	"context"
	"encoding/json"
	"sync"

	"cdphost/host/cdp"
)

// domNode is what DOM.describeNode tells of a node.
type domNode struct {
	BackendNodeID   int64     `json:"backendNodeId"`
	FrameID         string    `json:"frameId"`
	ShadowRootType  string    `json:"shadowRootType"`
	Children        []domNode `json:"children"`
	ShadowRoots     []domNode `json:"shadowRoots"`
	ContentDocument *domNode  `json:"contentDocument"`
}

// closedRoot is a closed shadow root and its host, by backend node id.
type closedRoot struct {
	frame      string
	host, root int64
}

// pierce reads the whole tree behind a session and hands its closed shadow roots
// to the walkers of its frames. It tells whether there were any.
func (r *run) pierce(session string, frames []Frame) bool {
	if len(frames) == 0 {
		return false
	}
	top := frames[0]
	tree, err := r.tree(top)
	if err != nil {
		return false
	}
	defer func() {
		_, _ = r.call(session, "Runtime.releaseObjectGroup", map[string]any{"objectGroup": r.key}) // frees memory only
	}()
	var (
		wg    sync.WaitGroup
		mu    sync.Mutex
		found bool
	)
	limit := make(chan struct{}, walkersAtOnce)
	for _, c := range tree.closedRoots(top.ID, nil) {
		i := frameIndex(frames, c.frame)
		if i < 0 {
			continue
		}
		limit <- struct{}{}
		wg.Go(func() {
			defer func() { <-limit }()
			if r.learn(r.ctx, frames[i], c) {
				mu.Lock()
				found = true
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return found
}

func frameIndex(frames []Frame, id string) int {
	for i := range frames {
		if frames[i].ID == id {
			return i
		}
	}
	return -1
}

// tree describes the document of a frame and the frames inside it that share its
// session.
func (r *run) tree(top Frame) (*domNode, error) {
	w := r.worlds.get(top)
	if w == nil {
		return nil, errOtherDocument
	}
	raw, err := r.call(w.session, "Runtime.evaluate", map[string]any{"expression": "document", "contextId": w.context, "objectGroup": r.key})
	if err != nil {
		return nil, err
	}
	var document struct {
		Result struct {
			ObjectID string `json:"objectId"`
		} `json:"result"`
	}
	if err := json.Unmarshal(raw, &document); err != nil {
		return nil, err
	}
	raw, err = r.call(w.session, "DOM.describeNode", map[string]any{"objectId": document.Result.ObjectID, "depth": -1, "pierce": true})
	if err != nil {
		return nil, err
	}
	var reply struct {
		Node domNode `json:"node"`
	}
	return &reply.Node, cdp.Unmarshal(raw, &reply)
}

// closedRoots adds the closed shadow roots below a node of a frame to out.
func (n *domNode) closedRoots(frame string, out []closedRoot) []closedRoot {
	for i := range n.ShadowRoots {
		root := &n.ShadowRoots[i]
		switch root.ShadowRootType {
		case "user-agent":
			continue
		case "closed":
			out = append(out, closedRoot{frame, n.BackendNodeID, root.BackendNodeID})
		}
		out = root.closedRoots(frame, out)
	}
	for i := range n.Children {
		out = n.Children[i].closedRoots(frame, out)
	}
	if n.ContentDocument != nil {
		out = n.ContentDocument.closedRoots(n.FrameID, out)
	}
	return out
}

// learn hands one closed shadow root to the walker of its frame. One that went
// away meanwhile has nothing to show.
func (r *run) learn(ctx context.Context, f Frame, c closedRoot) bool {
	w := r.worlds.get(f)
	if w == nil {
		return false
	}
	host, err := r.resolve(ctx, w, c.host)
	if err != nil {
		return false
	}
	root, err := r.resolve(ctx, w, c.root)
	if err != nil {
		return false
	}
	raw, err := r.callIn(ctx, w.session, "Runtime.callFunctionOn", map[string]any{
		"functionDeclaration": "function(k,root){return globalThis[k].learnRoot(this,root)}",
		"objectId":            host,
		"arguments":           []any{argument{r.key}, map[string]any{"objectId": root}},
		"returnByValue":       true,
	})
	if err != nil {
		return false
	}
	fresh := false
	return value(raw, &fresh) == nil && fresh
}
