package subagent

import (
	"encoding/json"
	"fmt"
	"regexp"
)

// unnameable are characters that providers refuse in the name of a tool.
var unnameable = regexp.MustCompile(`[^A-Za-z0-9_-]`)

// speakable makes a model's message fit to be sent back: providers refuse
// arguments that are no JSON, names with odd characters, and calls without an
// id, even where the model itself wrote them.
func speakable(m Message) Message {
	calls := make([]Call, len(m.Calls))
	seen := make(map[string]bool)
	for i, c := range m.Calls {
		if c.ID == "" || seen[c.ID] {
			c.ID = fmt.Sprintf("call_%d_%s", i, newMark())
			m.Native = nil
		}
		seen[c.ID] = true
		if name := unnameable.ReplaceAllString(c.Name, "_"); name != c.Name || name == "" || len(name) > 64 {
			c.Name = (name + "_")[:min(len(name)+1, 64)]
			m.Native = nil
		}
		var object map[string]any
		if json.Unmarshal([]byte(c.Args), &object) != nil || object == nil {
			c.Args = "{}"
			m.Native = nil
		}
		calls[i] = c
	}
	m.Calls = calls
	return m
}
