package tool

import (
	"context"
	"encoding/json"
	"time"
)

// arrivalTime bounds the question about title and status after a navigation.
const arrivalTime = 2 * time.Second

// arrivalScript reads what no event tells: the title as of now and the HTTP
// status of the document.
const arrivalScript = `[document.title,performance.getEntriesByType("navigation")[0]?.responseStatus||0]`

// describe tells where the page is. A page that can't answer is described from
// events alone.
func (n *navigation) describe(ctx context.Context) *navigateReply {
	title, status := n.ask(ctx)
	s := n.task.Snapshot()
	_, blocked := s.Blocked(n.tabID)
	reply := &navigateReply{
		Success: true, TaskID: s.Task.TaskID, TabID: n.tabID, Title: title, Status: status,
		Blocked: blocked, Pending: pending(s),
	}
	if p, ok := s.Page(n.tabID); ok {
		reply.URL = clipURL(p.URL)
		if reply.Title == "" && n.wait != waitNone {
			reply.Title = clipTitle(p.Title)
		}
	}
	return reply
}

func (n *navigation) ask(ctx context.Context) (title string, status int) {
	if n.wait == waitNone {
		return "", 0
	}
	if _, blocked := n.task.Snapshot().Blocked(n.tabID); blocked {
		return "", 0
	}
	ctx, cancel := context.WithTimeout(ctx, arrivalTime)
	defer cancel()
	var raw json.RawMessage
	err := during(ctx, n.task, n.tabID, n.session, "", func(ctx context.Context) (err error) {
		raw, err = n.task.Call(ctx, n.session, "Runtime.evaluate",
			map[string]any{"expression": arrivalScript, "returnByValue": true}, nil)
		return err
	})
	var reply struct {
		Result struct {
			Value []json.RawMessage `json:"value"`
		} `json:"result"`
	}
	if err != nil || json.Unmarshal(raw, &reply) != nil || len(reply.Result.Value) != 2 {
		return "", 0
	}
	// What a page has bent out of shape is left out.
	_ = json.Unmarshal(reply.Result.Value[0], &title)
	_ = json.Unmarshal(reply.Result.Value[1], &status)
	return clipTitle(title), status
}
