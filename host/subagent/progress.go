package subagent

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// maxLine bounds one line of progress, in bytes.
const maxLine = 160

// line says in a few words what a call does. What is typed is not shown: it may
// be a secret.
func line(name string, args json.RawMessage) string {
	var a struct {
		Type     string `json:"type"`
		UID      string `json:"uid"`
		Selector string `json:"selector"`
		URL      string `json:"url"`
		Key      string `json:"key"`
		Text     string `json:"text"`
		TabID    string `json:"tabId"`
		Action   string `json:"action"`
		DialogID string `json:"dialog_id"`
	}
	_ = json.Unmarshal(args, &a) // an odd argument is left out
	if name == ToolDialog {
		return clip(join(a.Action, "the dialog", a.DialogID), maxLine)
	}
	text := ""
	switch a.Type {
	case "type":
		text = fmt.Sprintf("(%d characters)", utf8.RuneCountInString(a.Text))
	case "wait_for":
		text = a.Text
	}
	return clip(join(a.Type, a.UID, a.Selector, a.URL, a.Key, text, a.TabID), maxLine)
}

func join(words ...string) string {
	out := ""
	for _, w := range words {
		if w == "" {
			continue
		}
		if out != "" {
			out += " "
		}
		out += w
	}
	return out
}
