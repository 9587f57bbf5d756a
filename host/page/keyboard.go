package page

import "context"

// strike presses and releases one chord. Input.dispatchKeyEvent on the page's
// session goes to the frame that has the focus.
func (r *run) strike(c chord) error {
	tab, err := r.tab()
	if err != nil {
		return err
	}
	var down []chord
	held := 0
	for _, m := range modifierKeys {
		if c.mask&m.mask != 0 && m.key.key != c.key.key {
			held |= m.mask
			down = append(down, chord{m.key, held})
		}
	}
	down = append(down, c)
	for i, k := range down {
		r.hold(func(ctx context.Context) { r.letGo(ctx, tab.Session, down[:i+1]) })
		if _, err := r.call(tab.Session, "Input.dispatchKeyEvent", keyEvent("keyDown", k)); err != nil {
			return err
		}
	}
	for i := len(down) - 1; i >= 0; i-- {
		if i == 0 {
			r.hold(nil)
		} else {
			r.hold(func(ctx context.Context) { r.letGo(ctx, tab.Session, down[:i]) })
		}
		if _, err := r.call(tab.Session, "Input.dispatchKeyEvent", keyEvent("keyUp", down[i])); err != nil {
			return err
		}
	}
	return nil
}

// letGo releases keys, the last one first.
func (e *Engine) letGo(ctx context.Context, session string, keys []chord) {
	for i := len(keys) - 1; i >= 0; i-- {
		_, _ = e.host.Call(ctx, session, "Input.dispatchKeyEvent", keyEvent("keyUp", keys[i]), nil) // the page may be gone
	}
}

func keyEvent(kind string, c chord) map[string]any {
	p := map[string]any{
		"type": kind, "key": c.key.key, "code": c.code, "windowsVirtualKeyCode": c.windows,
		"modifiers": c.mask, "location": c.location,
	}
	if kind == "keyDown" {
		if c.text == "" {
			p["type"] = "rawKeyDown"
		} else {
			p["text"], p["unmodifiedText"] = c.text, c.text
		}
		if commands := editing(c); commands != nil {
			p["commands"] = commands
		}
	}
	return p
}

// keysAtMost is how many characters are typed key by key; longer texts are put
// in at once, as a paste would.
const keysAtMost = 200

// typeKeys types text into what has the focus.
func (r *run) typeKeys(s string) error {
	runes := []rune(s)
	if len(runes) > keysAtMost {
		return r.insert(s)
	}
	for i, c := range runes {
		r.reached(progressOf(i, len(runes)))
		name := string(c)
		if c == '\n' {
			name = "Enter"
		}
		k, ok := layout[name]
		if !ok {
			if err := r.insert(name); err != nil {
				return err
			}
			continue
		}
		mask := 0
		if shifted(name) {
			mask = modShift
		}
		if err := r.tap(chord{k, mask}); err != nil {
			return err
		}
	}
	return nil
}

// tap presses and releases one key without pressing its modifiers.
func (r *run) tap(c chord) error {
	tab, err := r.tab()
	if err != nil {
		return err
	}
	r.hold(func(ctx context.Context) { r.letGo(ctx, tab.Session, []chord{c}) })
	if _, err := r.call(tab.Session, "Input.dispatchKeyEvent", keyEvent("keyDown", c)); err != nil {
		return err
	}
	r.hold(nil)
	_, err = r.call(tab.Session, "Input.dispatchKeyEvent", keyEvent("keyUp", c))
	return err
}

func (r *run) insert(s string) error {
	tab, err := r.tab()
	if err != nil {
		return err
	}
	_, err = r.call(tab.Session, "Input.insertText", map[string]any{"text": s})
	return err
}
