package page

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"

	"cdphost/host/cdp"
	"cdphost/host/page/walker"
)

// errOtherDocument says that the document a call was meant for is gone.
var errOtherDocument = errors.New("page: another document is in the frame")

// world is the isolated world of the document that a frame shows.
type world struct {
	session string
	context int64
	doc     string
	owners  map[string]int // child frame id to the number of its element
}

// worlds remembers the isolated world of each frame. Chrome refuses a context
// whose document is gone, and the walker a document that was not meant, so a
// stale entry costs a round trip and never acts on the wrong document.
type worlds struct {
	mu      sync.Mutex
	of      map[string]*world
	focused map[string]bool // sessions with focus emulation
	waits   int
}

func newWorlds() *worlds {
	return &worlds{of: make(map[string]*world), focused: make(map[string]bool)}
}

// waitID numbers the waits in pages, so that each can be stopped.
func (w *worlds) waitID() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waits++
	return w.waits
}

func (w *worlds) attended(session string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.focused[session]
}

func (w *worlds) setAttended(session string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.focused[session] = true
}

func (w *worlds) get(f Frame) *world {
	w.mu.Lock()
	defer w.mu.Unlock()
	if known := w.of[f.ID]; known != nil && known.session == f.Session {
		return known
	}
	return nil
}

func (w *worlds) set(frameID string, known *world) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if known == nil {
		delete(w.of, frameID)
		return
	}
	w.of[frameID] = known
}

// owner returns the remembered number of a child frame's element.
func (w *worlds) owner(in *world, child string) (int, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n, ok := in.owners[child]
	return n, ok
}

func (w *worlds) setOwner(in *world, child string, n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	in.owners[child] = n
}

// keep forgets the worlds of frames that no tab has any more.
func (w *worlds) keep(st *State) {
	alive, sessions := make(map[string]bool), make(map[string]bool)
	for i := range st.Tabs {
		sessions[st.Tabs[i].Session] = true
		for _, f := range st.Tabs[i].Frames {
			alive[f.ID] = true
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for id := range w.of {
		if !alive[id] {
			delete(w.of, id)
		}
	}
	for id := range w.focused {
		if !sessions[id] {
			delete(w.focused, id)
		}
	}
}

// enter makes the isolated world of a frame's document and puts the walker there.
func (r *run) enter(ctx context.Context, f Frame) (*world, error) {
	raw, err := r.callIn(ctx, f.Session, "Page.createIsolatedWorld", map[string]any{"frameId": f.ID, "worldName": r.key})
	if err != nil {
		return nil, err
	}
	var made struct {
		ExecutionContextID int64 `json:"executionContextId"`
	}
	if err := json.Unmarshal(raw, &made); err != nil {
		return nil, err
	}
	w := &world{session: f.Session, context: made.ExecutionContextID, owners: make(map[string]int)}
	expression := "(globalThis." + r.key + " ||= " + walker.Source() + ").doc"
	if err := r.evaluateIn(ctx, w, expression, &w.doc); err != nil {
		return nil, err
	}
	r.worlds.set(f.ID, w)
	return w, nil
}

func (r *run) evaluateIn(ctx context.Context, w *world, expression string, out any) error {
	raw, err := r.callIn(ctx, w.session, "Runtime.evaluate", map[string]any{
		"expression": expression, "contextId": w.context, "returnByValue": true,
	})
	if err != nil {
		return err
	}
	return value(raw, out)
}

// value decodes the by-value result of an evaluation in the isolated world.
func value(raw json.RawMessage, out any) error {
	var reply struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		Exception *struct {
			Exception struct {
				Description string `json:"description"`
			} `json:"exception"`
			Text string `json:"text"`
		} `json:"exceptionDetails"`
	}
	if err := cdp.Unmarshal(raw, &reply); err != nil {
		return err
	}
	if reply.Exception != nil {
		text := reply.Exception.Exception.Description
		if text == "" {
			text = reply.Exception.Text
		}
		return errors.New("page: walker: " + text)
	}
	if out == nil || len(reply.Result.Value) == 0 {
		return nil
	}
	if raw, ok := out.(*json.RawMessage); ok {
		*raw = reply.Result.Value
		return nil
	}
	return cdp.Unmarshal(reply.Result.Value, out)
}

// dispatch calls a method of the walker by name, if the walker is there.
const dispatch = "function(k,m,d,a){const w=globalThis[k];return w?w.call(m,d,a):{no_walker:true}}"

type argument struct {
	Value any `json:"value"`
}

// ask calls a method of the walker in a frame. doc names the document meant; ""
// means whichever is there. It returns the document that answered.
func (r *run) ask(ctx context.Context, f Frame, doc, method string, args, out any) (string, error) {
	w := r.worlds.get(f)
	for try := 0; ; try++ {
		var err error
		if w == nil {
			if w, err = r.enter(ctx, f); err != nil {
				if gone(err) && try < 2 && ctx.Err() == nil {
					continue
				}
				return "", err
			}
		}
		raw, err := r.callIn(ctx, w.session, "Runtime.callFunctionOn", map[string]any{
			"functionDeclaration": dispatch,
			"executionContextId":  w.context,
			"arguments":           []argument{{r.key}, {method}, {doc}, {args}},
			"returnByValue":       true,
			"awaitPromise":        true,
		})
		if err == nil {
			again, err := r.answer(raw, out)
			if err != nil || !again {
				return w.doc, err
			}
		} else if !gone(err) || ctx.Err() != nil {
			return "", err
		}
		r.worlds.set(f.ID, nil)
		w = nil
		if try >= 2 {
			return "", errOtherDocument
		}
	}
}

// answer decodes a walker's reply; again means that there is no walker.
func (r *run) answer(raw json.RawMessage, out any) (again bool, err error) {
	var reply json.RawMessage
	if err := value(raw, &reply); err != nil {
		return false, err
	}
	if len(reply) < 64 { // both refusals are short
		var refusal struct {
			NoWalker      bool `json:"no_walker"`
			OtherDocument bool `json:"other_document"`
		}
		if json.Unmarshal(reply, &refusal) == nil {
			if refusal.NoWalker {
				return true, nil
			}
			if refusal.OtherDocument {
				return false, errOtherDocument
			}
		}
	}
	if out == nil || len(reply) == 0 {
		return false, nil
	}
	return false, cdp.Unmarshal(reply, out)
}

// gone tells that Chrome refused because the document or its frame went away.
func gone(err error) bool {
	var refused *cdp.Error
	if !errors.As(err, &refused) {
		return false
	}
	for _, text := range []string{
		"Cannot find context", "context was destroyed", "navigated or closed", "No frame for given id",
		"No frame with given id", "Promise was collected", "uniqueContextId not found",
	} {
		if strings.Contains(refused.Message, text) {
			return true
		}
	}
	return false
}
