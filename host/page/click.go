package page

var click = &action{
	name:   "click",
	line:   "press the left button on an element; waits for it to be visible, enabled, at rest and uncovered.",
	schema: takes("click", onElement()...),
	effect: true,
	do:     perform(doClick),
}

// pressed is the result of an action that may lead elsewhere.
type pressed struct {
	UID       string   `json:"uid,omitempty"`
	Element   string   `json:"element,omitempty"`
	URL       string   `json:"url"`
	Navigated bool     `json:"navigated,omitempty"`
	Loading   bool     `json:"loading,omitempty"`
	Opened    []string `json:"opened_tabs,omitempty"`
}

func doClick(r *run, a element) (any, error) {
	l, x, y, err := r.aim(a, shown, enabled)
	if err != nil {
		return nil, err
	}
	if l.Tag == "input" && l.Type == "file" {
		return nil, errFileInput
	}
	before := r.host.State()
	if x, y, err = r.pointAt(l, x, y); err != nil {
		return nil, err
	}
	if err := r.press(x, y); err != nil {
		return nil, err
	}
	out, err := r.outcomeSince(before, l.Leaves, l.Opens)
	if err != nil {
		return nil, err
	}
	out.UID, out.Element = r.handle(l), l.title()
	return out, nil
}

// title names a located element: its role and name.
func (l *located) title() string {
	if l.Name == "" {
		return l.Role
	}
	return l.Role + " " + quote(l.Name)
}
