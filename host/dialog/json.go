package dialog

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"
)

// wire is the JSON of a dialog that agents see, pending and recent alike.
type wire struct {
	ID                     string   `json:"id"`
	Type                   Type     `json:"type"`
	Message                string   `json:"message"`
	MessageTruncated       bool     `json:"message_truncated,omitempty"`
	DefaultPrompt          *string  `json:"default_prompt,omitempty"`
	DefaultPromptTruncated bool     `json:"default_prompt_truncated,omitempty"`
	OpenedAt               seconds  `json:"opened_at"`
	ClosedAt               *seconds `json:"closed_at,omitempty"`
	ClosedBy               ClosedBy `json:"closed_by,omitempty"`
	Action                 Action   `json:"action,omitempty"`
	UserInput              string   `json:"user_input,omitempty"`
	Reason                 string   `json:"reason,omitempty"`
	Count                  int      `json:"count,omitempty"`
	State                  State    `json:"state,omitempty"`
	Note                   string   `json:"note,omitempty"`
	TabID                  string   `json:"tab_id"`
	FrameID                string   `json:"frame_id"`
	URL                    string   `json:"url"`
}

func (d *Dialog) wire() wire {
	return wire{
		ID: d.ID, Type: d.Type, Message: d.Message, MessageTruncated: d.MessageTruncated,
		DefaultPromptTruncated: d.DefaultPromptTruncated, OpenedAt: seconds(d.OpenedAt), Note: d.Note,
		TabID: d.TabID, FrameID: d.FrameID, URL: d.URL,
	}
}

// MarshalJSON gives an entry of pending_dialogs; times are Unix seconds.
func (d Dialog) MarshalJSON() ([]byte, error) {
	w := d.wire()
	w.State, w.DefaultPrompt = d.State, &d.DefaultPrompt
	return json.Marshal(w)
}

// MarshalJSON gives an entry of recent_dialogs; times are Unix seconds.
func (c Closed) MarshalJSON() ([]byte, error) {
	w := c.wire()
	at := seconds(c.ClosedAt)
	w.ClosedAt, w.ClosedBy, w.Action, w.Reason, w.UserInput = &at, c.ClosedBy, c.Action, c.Reason, c.UserInput
	w.DefaultPromptTruncated = false
	if w.Note == "" && c.ClosedBy == AutoPolicy && c.Reason == "" && c.Answer != nil {
		w.Note = c.Answer.Note // the policy's reason
	}
	if c.Count > 1 {
		w.Count = c.Count
	}
	return json.Marshal(w)
}

// seconds is a time as a JSON number of Unix seconds that is always a float.
type seconds time.Time

func (s seconds) MarshalJSON() ([]byte, error) {
	text := strconv.FormatFloat(unix(time.Time(s)), 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return []byte(text), nil
}

// unix returns t in Unix seconds, to the millisecond.
func unix(t time.Time) float64 {
	return math.Round(float64(t.UnixMicro())/1e3) / 1e3
}
