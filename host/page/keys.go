package page

import (
	"strings"

	"cdphost/sdk/fault"
)

// key is one key of a US keyboard, as UI Events name it.
type key struct {
	key      string
	code     string
	windows  int // windowsVirtualKeyCode
	text     string
	location int
}

// Modifiers of Input.dispatchKeyEvent.
const (
	modAlt     = 1
	modControl = 2
	modMeta    = 4
	modShift   = 8
)

var modifiers = map[string]int{
	"Alt": modAlt, "Control": modControl, "Ctrl": modControl, "Meta": modMeta, "Command": modMeta, "Cmd": modMeta,
	"Shift": modShift, "AltLeft": modAlt, "ControlLeft": modControl, "MetaLeft": modMeta, "ShiftLeft": modShift,
	"Option": modAlt, "ControlOrMeta": controlOrMeta,
}

// modifierKeys are pressed in this order and released in the reverse.
var modifierKeys = []struct {
	mask int
	key  key
}{
	{modControl, key{key: "Control", code: "ControlLeft", windows: 17, location: 1}},
	{modAlt, key{key: "Alt", code: "AltLeft", windows: 18, location: 1}},
	{modMeta, key{key: "Meta", code: "MetaLeft", windows: 91, location: 1}},
	{modShift, key{key: "Shift", code: "ShiftLeft", windows: 16, location: 1}},
}

// chord is a key with the modifiers held while it is pressed.
type chord struct {
	key
	mask int
}

// parseChord reads "Enter", "a", "Control+A" or "Control++". Names are those of
// KeyboardEvent.key or code; letters count as the key, Shift makes them capital.
func parseChord(s string, more []string) (chord, error) {
	var c chord
	rest := s
	for {
		head, tail, found := strings.Cut(rest, "+")
		if !found || head == "" || tail == "" {
			break
		}
		mask, ok := modifier(head)
		if !ok {
			return c, fault.New(fault.InvalidAction, "%q in %q is no modifier; use Control, Alt, Shift, Meta or ControlOrMeta", head, s)
		}
		c.mask |= mask
		rest = tail
	}
	for _, m := range more {
		mask, ok := modifier(m)
		if !ok {
			return c, fault.New(fault.InvalidAction, "%q is no modifier; use Control, Alt, Shift, Meta or ControlOrMeta", m)
		}
		c.mask |= mask
	}
	k, ok := findKey(rest)
	if !ok {
		return c, fault.New(fault.InvalidAction, "there is no key %q; use the web platform's names: Enter, Tab, Escape, ArrowDown, Backspace, Delete, Home, PageDown, F1, a, Control+A", rest)
	}
	if c.mask&modShift != 0 {
		if shifted, ok := shiftedKey(k); ok {
			k = shifted
		}
	} else if c.mask&(modControl|modAlt|modMeta) != 0 && len(k.key) == 1 {
		if plain, ok := layout[strings.ToLower(k.key)]; ok {
			k = plain // Control+A means the key A without Shift
		}
	}
	c.key = k
	if c.mask&(modControl|modAlt|modMeta) != 0 {
		c.text = ""
	}
	return c, nil
}

func modifier(name string) (int, bool) {
	if mask, ok := modifiers[name]; ok {
		return mask, true
	}
	for known, mask := range modifiers {
		if strings.EqualFold(known, name) {
			return mask, true
		}
	}
	return 0, false
}

func findKey(name string) (key, bool) {
	if k, ok := layout[name]; ok {
		return k, true
	}
	if k, ok := byCode[name]; ok {
		return k, true
	}
	for known, k := range layout {
		if len(name) > 1 && strings.EqualFold(known, name) {
			return k, true
		}
	}
	return key{}, false
}

// shiftedKey is the key that Shift makes of k.
func shiftedKey(k key) (key, bool) {
	if len(k.key) != 1 {
		return k, false
	}
	if i := strings.Index(plainKeys, k.key); i >= 0 {
		s, ok := layout[shiftKeys[i:i+1]]
		return s, ok
	}
	s, ok := layout[strings.ToUpper(k.key)]
	return s, ok
}
