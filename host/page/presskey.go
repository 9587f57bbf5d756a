package page

import (
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

var pressKey = &action{
	name: "press_key",
	line: "press a key or chord, named as in KeyboardEvent.key: Enter, Escape, ArrowDown, Control+A.",
	schema: takes("press_key", onTab(need("key", text()),
		may("modifiers", &jsonschema.Schema{Type: "array", Items: text()}))...),
	effect: true,
	do:     perform(doPressKey),
}

func doPressKey(r *run, a struct {
	Key       string   `json:"key"`
	Modifiers []string `json:"modifiers"`
}) (any, error) {
	c, err := parseChord(a.Key, a.Modifiers)
	if err != nil {
		return nil, err
	}
	if err := r.attend(); err != nil {
		return nil, err
	}
	before := r.host.State()
	if err := r.strike(c); err != nil {
		return nil, err
	}
	return r.outcomeSince(before, c.key.key == "Enter", false)
}

// shifted tells whether a character needs Shift.
func shifted(s string) bool {
	return strings.Contains(shiftKeys, s) || (s >= "A" && s <= "Z" && len(s) == 1)
}

func progressOf(done, of int) string { return fmt.Sprintf("typed %d of %d characters", done, of) }
