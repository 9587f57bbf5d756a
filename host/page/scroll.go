package page

import "cdphost/sdk/fault"

var scroll = &action{
	name: "scroll",
	line: "bring an element into view (uid or selector alone), or scroll the page or the element's container by dx, dy (CSS px) or pages (0.5, -1), or to an end.",
	schema: takes("scroll", onElement(may("dx", number()), may("dy", number()), may("pages", number()),
		may("to", oneOf("", "top", "bottom", "left", "right")))...),
	effect: true,
	do:     perform(doScroll),
}

type scrollArgs struct {
	element
	DX    float64 `json:"dx"`
	DY    float64 `json:"dy"`
	Pages float64 `json:"pages"`
	To    string  `json:"to"`
}

// scrolled is where the scrolled box stands now; Container is "" for the page.
type scrolled struct {
	UID       string `json:"uid,omitempty"`
	X         int    `json:"x"`
	Y         int    `json:"y"`
	Height    int    `json:"height"`
	AtTop     bool   `json:"at_top"`
	AtBottom  bool   `json:"at_bottom"`
	Container string `json:"container,omitempty"`
	Moved     *moved `json:"moved,omitempty"`
}

type moved struct {
	DX int `json:"dx"`
	DY int `json:"dy"`
}

func doScroll(r *run, a scrollArgs) (any, error) {
	ways := 0
	for _, given := range []bool{a.DX != 0 || a.DY != 0, a.Pages != 0, a.To != ""} {
		if given {
			ways++
		}
	}
	switch {
	case ways > 1:
		return nil, fault.New(fault.InvalidAction, "scroll takes one of dx/dy, pages and to")
	case ways == 0 && !a.given():
		return nil, fault.New(fault.InvalidAction, "scroll takes an element, or one of dx/dy, pages and to")
	case a.To != "" && a.To != "top" && a.To != "bottom" && a.To != "left" && a.To != "right":
		return nil, fault.New(fault.InvalidAction, "scroll to: top, bottom, left or right, not %q", a.To)
	}
	args := map[string]any{"dx": a.DX, "dy": a.DY, "pages": a.Pages, "to": a.To}
	var out scrolled
	if !a.given() {
		tab, err := r.tab()
		if err != nil {
			return nil, err
		}
		if _, err := r.ask(r.ctx, tab.Top(), "", "scroll", args, &out); err != nil {
			return nil, err
		}
		return out, nil
	}
	l, err := r.locate(a.element)
	if err != nil {
		return nil, err
	}
	if err := r.told(l, "scroll", args, &out); err != nil {
		return nil, err
	}
	if ways == 0 { // the frames around it as well
		if _, _, err := r.toTop(l.frame, 0, 0, true); err != nil && fault.CodeOf(err) != fault.ElementObscured {
			return nil, err
		}
	}
	out.UID = r.handle(l)
	return out, nil
}
