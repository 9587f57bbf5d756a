package supervisor

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"cdphost/host/cdp"
	"cdphost/host/dialog"
)

// commandTime bounds each command that ends a bridge's hold. The browser answers
// in milliseconds; a page that can't is navigating away.
const commandTime = 5 * time.Second

// Why a page is released from its bridge.
const (
	bridgeDown     = "was down"
	bridgeSwitched = "was switched off"
	bridgeLeft     = "left with its task"
)

// releasePage lets the page of a claimed event go on without its bridge, with
// the commands that the bridge declared for that.
func (s *Supervisor) releasePage(c *claimed, why string) {
	s.update(func(*effects) {
		s.tellLocked(c.place.TabID, HostBridgeReleased, map[string]string{
			"bridge": c.in.name(), "reason": why, "tab_id": c.place.TabID, "frame_id": c.place.FrameID,
		})
		if p := s.pageLocked(c.place.TargetID); p != nil {
			p.degrade("the dialog bridge " + c.in.name() + " " + why + ": a dialog was left to the browser itself")
			s.touch(p)
		}
	})
	cmds := make([]cdp.Command, 0, len(c.claim.Release))
	for _, r := range c.claim.Release {
		cmds = append(cmds, cdp.Command{Method: r.Method, Params: withEvent(r.Params, c.event.Params)})
	}
	if err := s.sendHold(s.ctx, c, cmds); err != nil {
		s.logger.Warn("a page could not be released from its dialog bridge", "task", s.key, "tab", c.place.TabID, "error", err)
	}
}

// sendHold sends the commands that end what a bridge holds: in order, each
// awaited, on the session of the event.
func (s *Supervisor) sendHold(ctx context.Context, c *claimed, cmds []cdp.Command) error {
	for _, cmd := range cmds {
		cmd.SessionID = c.event.SessionID
		if err := s.sendOne(ctx, cmd); err != nil {
			return err
		}
	}
	return nil
}

func (s *Supervisor) sendOne(ctx context.Context, cmd cdp.Command) error {
	ctx, cancel := context.WithTimeout(ctx, commandTime)
	defer cancel()
	_, err := s.member.Call(ctx, cmd, cdp.WithControl())
	return err
}

// letGo ends a recognised dialog whose answer its bridge can't carry: the page is
// released, and what it does then, such as opening the browser's own dialog, is
// handled like any other.
func (s *Supervisor) letGo(c *claimed, send *dialog.Send) {
	current := false
	s.update(func(*effects) {
		if current = s.dialogs.Current(send); !current {
			return
		}
		if closed := s.dialogs.Released(time.Now(), send); closed != nil {
			s.closedLocked(closed)
		}
	})
	if current {
		s.releasePage(c, bridgeDown)
	}
}

// withEvent replaces {{event.PATH}} in the strings of params by that value of an
// event. A string that is nothing else becomes the value itself.
func withEvent(params, event json.RawMessage) json.RawMessage {
	if !strings.Contains(string(params), "{{event.") {
		return params
	}
	var p, e any
	if json.Unmarshal(params, &p) != nil || json.Unmarshal(event, &e) != nil {
		return params
	}
	return encode(substitute(p, e))
}

func substitute(v, event any) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = substitute(v[k], event)
		}
		return v
	case []any:
		for i := range v {
			v[i] = substitute(v[i], event)
		}
		return v
	case string:
		return inText(v, event)
	}
	return v
}

func inText(text string, event any) any {
	for {
		before, rest, ok := strings.Cut(text, "{{event.")
		if !ok {
			return text
		}
		path, after, ok := strings.Cut(rest, "}}")
		if !ok {
			return text
		}
		value := at(event, strings.Split(path, "."))
		if before == "" && after == "" {
			return value
		}
		plain, ok := value.(string)
		if !ok {
			plain = string(encode(value))
		}
		text = before + plain + after
	}
}

// at walks down an event; what is not there is nil.
func at(v any, path []string) any {
	for _, key := range path {
		switch in := v.(type) {
		case map[string]any:
			v = in[key]
		case []any:
			i, err := strconv.Atoi(key)
			if err != nil || i < 0 || i >= len(in) {
				return nil
			}
			v = in[i]
		default:
			return nil
		}
	}
	return v
}
