package cdptest

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Event is an event that a client received.
type Event struct {
	Seq       int    // place among all messages that the client received, answers included
	SessionID string // empty: the browser's session
	Method    string
	Params    json.RawMessage
}

// Get returns the value at a dotted path of the event's params, see [Field].
func (e Event) Get(path string) string { return Field(e.Params, path) }

// Field returns the value at a dotted path of a JSON document as text: a string as it is, anything
// else as JSON, and "" when there is nothing. A path element that is a number indexes an array.
func Field(doc json.RawMessage, path string) string {
	for key := range strings.SplitSeq(path, ".") {
		if i, err := strconv.Atoi(key); err == nil {
			var list []json.RawMessage
			if json.Unmarshal(doc, &list) != nil || i < 0 || i >= len(list) {
				return ""
			}
			doc = list[i]
			continue
		}
		var object map[string]json.RawMessage
		if json.Unmarshal(doc, &object) != nil {
			return ""
		}
		doc = object[key]
	}
	if string(doc) == "null" {
		return "null" // which would decode into an empty string
	}
	var s string
	if json.Unmarshal(doc, &s) == nil {
		return s
	}
	return string(doc)
}

// Is returns a predicate for events of a method whose params have the values given as pairs of a
// path and a text: Is("Page.javascriptDialogOpening", "type", "alert").
func Is(method string, pairs ...string) func(Event) bool {
	return func(e Event) bool {
		if e.Method != method {
			return false
		}
		for i := 0; i+1 < len(pairs); i += 2 {
			if e.Get(pairs[i]) != pairs[i+1] {
				return false
			}
		}
		return true
	}
}

// On narrows a predicate to the events of one session.
func On(sessionID string, match func(Event) bool) func(Event) bool {
	return func(e Event) bool { return e.SessionID == sessionID && match(e) }
}

// Mark returns the place of the last message received, for Wait and Events.
func (c *Client) Mark() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.log.seq
}

// Events returns the events after a mark that match; match nil means all.
func (c *Client) Events(mark int, match func(Event) bool) []Event {
	c.mu.Lock()
	defer c.mu.Unlock()
	var found []Event
	for _, e := range c.log.after(mark) {
		if match == nil || match(e) {
			found = append(found, e)
		}
	}
	return found
}

// Wait returns the first event after a mark that matches, waiting for it if need be. The error wraps
// the context's, or ErrClientClosed.
func (c *Client) Wait(ctx context.Context, mark int, match func(Event) bool) (Event, error) {
	for {
		c.mu.Lock()
		for _, e := range c.log.after(mark) {
			mark = e.Seq
			if match(e) {
				c.mu.Unlock()
				return e, nil
			}
		}
		changed, err := c.log.wait(), c.err
		c.mu.Unlock()
		if err != nil {
			return Event{}, err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return Event{}, fmt.Errorf("cdptest: no such event: %w", ctx.Err())
		}
	}
}

// MustWait is Wait for tests: no such event in time is fatal.
func (c *Client) MustWait(tb TB, mark int, match func(Event) bool) Event {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), callTime)
	defer cancel()
	e, err := c.Wait(ctx, mark, match)
	if err != nil {
		var seen []string
		for _, e := range c.Events(mark, nil) {
			seen = append(seen, e.Method)
		}
		tb.Fatalf("%v; seen since the mark: %s", err, strings.Join(seen, ", "))
	}
	return e
}
