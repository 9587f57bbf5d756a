package page

import (
	"fmt"
	"time"

	"cdphost/sdk/fault"
)

// routeTime is how long the browser may take to know where a frame is.
const routeTime = 2 * time.Second

// pointed is what the walker knows of the mouse.
type pointed struct {
	Moves   int  `json:"moves"`
	Hovered bool `json:"hovered"`
}

// pointAt moves the mouse onto a located element and returns where that is. The
// browser routes the mouse by what was drawn last: into a frame of another process
// that was scrolled or laid out a moment ago, an event may go to what was there
// before. So the move is repeated until that frame has seen it.
func (r *run) pointAt(l *located, x, y float64) (float64, float64, error) {
	tab, err := r.tab()
	if err != nil {
		return 0, 0, err
	}
	if l.frame.Session == tab.Session {
		return x, y, r.moveTo(x, y)
	}
	var before, now pointed
	if err := r.told(l, "pointed", map[string]any{}, &before); err != nil {
		return 0, 0, err
	}
	for end := time.Now().Add(routeTime); ; {
		if err := r.moveTo(x, y); err != nil {
			return 0, 0, err
		}
		if err := r.told(l, "pointed", map[string]any{}, &now); err != nil {
			return 0, 0, err
		}
		if now.Moves > before.Moves || now.Hovered && !before.Hovered {
			return x, y, nil
		}
		if time.Now().After(end) {
			return 0, 0, fault.New(fault.ElementObscured, "the mouse does not arrive in the frame of %s: something that takes no part in the page's layout is over it, or it is not drawn; take a screenshot and look", l.title())
		}
		if err := r.told(l, "pointed", map[string]any{"drawn": true}, &now); err != nil {
			return 0, 0, err
		}
		if x, y, err = r.toTop(l.frame, l.X, l.Y, true); err != nil {
			return 0, 0, err
		}
	}
}

func (r *run) moveTo(x, y float64) error {
	if err := r.mouse("mouseMoved", x, y); err != nil {
		return fmt.Errorf("moving the mouse: %w", err)
	}
	return nil
}
