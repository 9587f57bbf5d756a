package frames

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"cdphost/host/cdp/cdptest"
)

// second is another CDP client, with a connection and sessions of its own. It
// shares no code with the host, and so no mistake.
type second struct {
	*cdptest.Client
	targetID string
}

// lookAt connects a second client for the agent's current page.
func lookAt(t testing.TB, a *agent, wsURL string) *second {
	t.Helper()
	return &second{Client: cdptest.Dial(t, wsURL), targetID: a.page(t).TargetID}
}

// node is a frame as both sides describe it.
type node struct {
	ID, Parent, URL, Origin string
	OOPIF                   bool
}

func (n node) String() string {
	kind := "same process"
	if n.OOPIF {
		kind = "own process"
	}
	return fmt.Sprintf("%s in %s, %s, %s, origin %s", short(n.ID), short(n.Parent), kind, n.URL, n.Origin)
}

func short(id string) string { return id[:min(6, len(id))] }

// look attaches to the page and everything in it, reads it, and lets go.
func (c *second) look(t testing.TB) []node {
	t.Helper()
	session := cdptest.Field(c.Must(t, "", "Target.attachToTarget", cdptest.M{"targetId": c.targetID, "flatten": true}), "sessionId")
	defer c.Must(t, "", "Target.detachFromTarget", cdptest.M{"sessionId": session})
	v := &view{c: c, t: t, frames: map[string]*node{}, contexts: map[string]contextOf{}, children: map[string][]string{}}
	v.read(session, "")
	return v.order(c.targetID, nil)
}

// view is what one look gathers.
type view struct {
	c        *second
	t        testing.TB
	frames   map[string]*node
	contexts map[string]contextOf
	children map[string][]string // in document order
}

type contextOf struct {
	session string
	id      json.RawMessage
}

// read reads one session's frames, the order of their elements, their execution
// contexts, and then the sessions below.
func (v *view) read(session, parent string) {
	mark := v.c.Mark()
	v.do(session, "Runtime.enable", nil)
	for _, e := range v.c.Events(mark, cdptest.On(session, cdptest.Is("Runtime.executionContextCreated", "context.auxData.isDefault", "true"))) {
		v.contexts[e.Get("context.auxData.frameId")] = contextOf{session, json.RawMessage(e.Get("context.id"))}
	}
	tree := json.RawMessage(cdptest.Field(v.do(session, "Page.getFrameTree", nil), "frameTree"))
	v.tree(tree, parent)
	document := v.do(session, "DOM.getDocument", cdptest.M{"depth": -1, "pierce": true})
	v.elements(json.RawMessage(cdptest.Field(document, "root")), cdptest.Field(tree, "frame.id"))

	mark = v.c.Mark()
	v.do(session, "Target.setAutoAttach", cdptest.M{"autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true})
	for _, e := range v.c.Events(mark, cdptest.On(session, cdptest.Is("Target.attachedToTarget", "targetInfo.type", "iframe"))) {
		v.read(e.Get("sessionId"), e.Get("targetInfo.parentFrameId"))
	}
}

// lookTime bounds one command of a look: a browser does not answer on a session that
// goes while the command is on its way.
const lookTime = 3 * time.Second

// do is like Must, but a page that changes meanwhile is no failure: what it
// refuses is missing then, and the next look sees it.
func (v *view) do(session, method string, params any) json.RawMessage {
	ctx, cancel := context.WithTimeout(context.Background(), lookTime)
	defer cancel()
	raw, err := v.c.Call(ctx, session, method, params)
	if err != nil {
		v.t.Logf("second client: %s: %v", method, err)
	}
	return raw
}

// tree records the frames of a Page.getFrameTree. parent is "" but for the root of
// an out-of-process frame.
func (v *view) tree(tree json.RawMessage, parent string) {
	f := json.RawMessage(cdptest.Field(tree, "frame"))
	n := &node{ID: cdptest.Field(f, "id"), Parent: cdptest.Field(f, "parentId"), URL: cdptest.Field(f, "url") + cdptest.Field(f, "urlFragment")}
	if n.ID == "" {
		return
	}
	if parent != "" {
		n.Parent, n.OOPIF = parent, true
	}
	if n.URL == "" {
		n.URL = "about:blank"
	}
	n.Origin = v.origin(n.ID)
	v.frames[n.ID] = n
	var children []json.RawMessage
	_ = json.Unmarshal([]byte(cdptest.Field(tree, "childFrames")), &children)
	for _, c := range children {
		v.tree(c, "")
	}
}

// origin asks the frame itself.
func (v *view) origin(id string) string {
	ctx, ok := v.contexts[id]
	if !ok {
		return ""
	}
	return cdptest.Field(v.do(ctx.session, "Runtime.evaluate", cdptest.M{"expression": "self.origin", "contextId": ctx.id}), "result.value")
}

// elements records the order of the elements that hold frames, in the document of a
// frame and those inside it.
func (v *view) elements(n json.RawMessage, document string) {
	id := cdptest.Field(n, "frameId")
	if id != "" && cdptest.Field(n, "nodeName") != "#document" {
		v.children[document] = append(v.children[document], id)
	}
	for _, part := range []string{"shadowRoots", "children"} {
		var list []json.RawMessage
		_ = json.Unmarshal([]byte(cdptest.Field(n, part)), &list)
		for _, c := range list {
			v.elements(c, document)
		}
	}
	if inner := cdptest.Field(n, "contentDocument"); inner != "" {
		v.elements(json.RawMessage(inner), id)
	}
}

// order lists a frame and everything in it, in document order.
func (v *view) order(id string, out []node) []node {
	n := v.frames[id]
	if n == nil {
		return out
	}
	out = append(out, *n)
	for _, c := range v.children[id] {
		if f := v.frames[c]; f != nil && f.Parent == id {
			out = v.order(c, out)
		}
	}
	return out
}

// diff tells where two lists differ, "" when they do not.
func diff(got, want []node) string {
	if slices.Equal(got, want) {
		return ""
	}
	lines := func(nodes []node) string {
		var b strings.Builder
		for _, n := range nodes {
			fmt.Fprintf(&b, "\n\t%v", n)
		}
		return b.String()
	}
	return "the host has" + lines(got) + "\nthe second client has" + lines(want)
}

// seen is what the host has: what its agent is shown, and what it knows besides.
func (a *agent) seen(t testing.TB) []node {
	t.Helper()
	tree := json.RawMessage(cdptest.Field(a.must(t, "browser_snapshot", cdptest.M{"text": false}), "frame_tree"))
	known := a.page(t).Frames
	origin := func(id string) string {
		f, _ := known.Lookup(id)
		return f.Origin
	}
	top := cdptest.Field(tree, "top.frame_id")
	out := []node{{ID: top, URL: cdptest.Field(tree, "top.url"), Origin: cdptest.Field(tree, "top.origin")}}
	var children []struct {
		FrameID       string `json:"frame_id"`
		URL           string `json:"url"`
		IsOOPIF       bool   `json:"is_oopif"`
		SessionID     string `json:"session_id"`
		ParentFrameID string `json:"parent_frame_id"`
	}
	if err := json.Unmarshal([]byte(cdptest.Field(tree, "children")), &children); err != nil {
		t.Fatal(err)
	}
	for _, c := range children {
		if (c.SessionID != "") != c.IsOOPIF {
			return nil // on its way to another process
		}
		out = append(out, node{ID: c.FrameID, Parent: c.ParentFrameID, URL: c.URL, Origin: origin(c.FrameID), OOPIF: c.IsOOPIF})
	}
	return out
}

// agree waits until the host and the second client see the same page, of at least
// so many frames, and checks that each session of the host's is the frame's own.
func agree(t testing.TB, a *agent, c *second, count int) []node {
	t.Helper()
	return agreeBy(t, a, c, count, func([]node) {})
}

// agreeBut is agree without the order of siblings, which no browser tells of frames
// of other processes that were there before the host was.
func agreeBut(t testing.TB, a *agent, c *second, count int) []node {
	t.Helper()
	return agreeBy(t, a, c, count, func(nodes []node) {
		slices.SortFunc(nodes, func(x, y node) int { return strings.Compare(x.ID, y.ID) })
	})
}

func agreeBy(t testing.TB, a *agent, c *second, count int, arrange func([]node)) []node {
	t.Helper()
	ctx := bound(t)
	for {
		want, got := c.look(t), a.seen(t)
		arrange(want)
		arrange(got)
		if len(want) == count && diff(got, want) == "" {
			checkSessions(t, a)
			return got
		}
		if ctx.Err() != nil {
			t.Fatalf("%d frames were expected; %s", count, diff(got, want))
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
		}
	}
}

// checkSessions asks the browser which target each session of the host's is.
func checkSessions(t testing.TB, a *agent) {
	t.Helper()
	for f := range a.page(t).Frames.Frames() {
		if f.SessionID == "" {
			continue
		}
		info := a.send(t, f.SessionID, "Target.getTargetInfo", cdptest.M{})
		if got := cdptest.Field(info, "targetInfo.targetId"); got != f.ID {
			t.Errorf("the session of frame %s is that of target %s", f.ID, got)
		}
	}
}
