package page

import (
	"context"
	"fmt"
)

// mouse sends one mouse event to the page, at a point of its viewport.
// Input.dispatchMouseEvent on the page's session reaches all its frames.
func (r *run) mouse(kind string, x, y float64) error {
	tab, err := r.tab()
	if err != nil {
		return err
	}
	_, err = r.call(tab.Session, "Input.dispatchMouseEvent", mouseEvent(kind, x, y))
	return err
}

func mouseEvent(kind string, x, y float64) map[string]any {
	p := map[string]any{"type": kind, "x": x, "y": y}
	if kind != "mouseMoved" {
		p["button"], p["clickCount"] = "left", 1
		if kind == "mousePressed" {
			p["buttons"] = 1
		}
	}
	return p
}

// press presses and releases the button at a point that the mouse is on. When a
// dialog comes between press and release, the release follows once the page goes on.
func (r *run) press(x, y float64) error {
	tab, err := r.tab()
	if err != nil {
		return err
	}
	r.hold(func(ctx context.Context) {
		_, _ = r.host.Call(ctx, tab.Session, "Input.dispatchMouseEvent", mouseEvent("mouseReleased", x, y), nil) // the page may be gone
	})
	if err := r.mouse("mousePressed", x, y); err != nil {
		return fmt.Errorf("pressing the button: %w", err)
	}
	r.hold(nil)
	if err := r.mouse("mouseReleased", x, y); err != nil {
		return fmt.Errorf("releasing the button: %w", err)
	}
	return nil
}

// hold remembers how to let go of what is pressed now.
func (r *run) hold(release func(context.Context)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.held = release
}

// reached says how far the action is, for the case that a dialog interrupts it.
func (r *run) reached(progress string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.progress = progress
}

// aim makes a page take input though its tab is in the background, finds the
// element and returns where to press it in the page's viewport.
func (r *run) aim(el element, need ...string) (*located, float64, float64, error) {
	l, err := r.locate(el, append(need, point)...)
	if err != nil {
		return nil, 0, 0, err
	}
	if err := r.attend(); err != nil {
		return nil, 0, 0, err
	}
	x, y, err := r.toTop(l.frame, l.X, l.Y, true)
	return l, x, y, err
}

// attend switches on focus emulation, without which a background page ignores
// the mouse. It is Emulation.setFocusEmulationEnabled, once for each session.
func (r *run) attend() error {
	tab, err := r.tab()
	if err != nil {
		return err
	}
	if r.worlds.attended(tab.Session) {
		return nil
	}
	_, err = r.call(tab.Session, "Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true})
	if err == nil {
		r.worlds.setAttended(tab.Session)
	}
	return err
}
