package page

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"cdphost/host/cdp"
	"cdphost/host/page/walker"
)

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
	return cdp.Unmarshal(reply.Result.Value, out)
}

// dispatch calls a method of the walker by name, if the walker is there. The
// answer comes as JSON in a string: Chrome hands a string on several times
// faster than the object it stands for.
const dispatch = `function(k,m,d,a){const w=globalThis[k],r=w?w.call(m,d,a):{no_walker:true};return r instanceof Promise?r.then(JSON.stringify):JSON.stringify(r)}`

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
			// A promise does not settle while a dialog holds the page, and Chrome
			// takes every value for one.
			"awaitPromise": r.heldNow() == nil,
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
	var text string
	if err := value(raw, &text); err != nil {
		return false, err
	}
	reply := []byte(text)
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
