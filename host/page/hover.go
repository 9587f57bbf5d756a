package page

var hover = &action{
	name:   "hover",
	line:   "move the mouse onto an element.",
	schema: takes("hover", onElement()...),
	effect: true,
	do:     perform(doHover),
}

func doHover(r *run, a element) (any, error) {
	l, x, y, err := r.aim(a, shown)
	if err != nil {
		return nil, err
	}
	if _, _, err := r.pointAt(l, x, y); err != nil {
		return nil, err
	}
	return map[string]any{"uid": r.handle(l), "element": l.title()}, nil
}
