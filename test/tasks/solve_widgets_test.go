package tasks

import (
	"regexp"
	"strconv"
	"strings"
)

var _ = solve("tree", func(a *agent) {
	p := a.parts("With the arrow keys go to * in * and open it with Enter.")
	year, folder := p[0], p[1]
	a.press("Tab")
	a.walkTo(quoted(folder))
	a.press("ArrowRight")
	a.uid("treeitem", quoted(folder), "expanded")
	a.walkTo(quoted(year))
	a.press("Enter")
})

// walkTo presses the down arrow until an item has the focus.
func (a *agent) walkTo(name string) {
	a.t.Helper()
	for range 12 {
		if uids, _ := a.all("treeitem", name, "focused"); len(uids) == 1 {
			return
		}
		a.press("ArrowDown")
	}
	a.t.Fatalf("%s is not reached:\n%s", name, strings.Join(a.extract(), "\n"))
}

var _ = solve("menu", func(a *agent) {
	kind := a.parts("Export as * through*")[0]
	a.do(obj{"type": "hover", "uid": a.uid(`menuitem "File"`)})
	a.do(obj{"type": "hover", "uid": a.uid(`menuitem "Export as"`)})
	a.click("menuitem", quoted(kind))
})

var _ = solve("cookie-wall", func(a *agent) {
	read := a.uid(`"Read the article"`)
	e, code := a.try(obj{"type": "click", "uid": read})
	if code != "element_obscured" {
		a.t.Errorf("the click under the wall gave %q %v", code, e)
	}
	a.click(`"Only what is needed"`)
	a.do(obj{"type": "click", "uid": read})
})

var _ = solve("modal", func(a *agent) {
	p := a.parts("Create the project * owned by *.")
	a.click(`"New project"`)
	if uids, _ := a.all(`button "New project"`); len(uids) > 0 {
		a.t.Error("what is behind the modal dialog is offered")
	}
	a.fill(p[0], `"Name"`)
	a.fill(p[1], `"Owner"`)
	a.click(`"Create"`)
})

var _ = solve("seats", func(a *agent) {
	p := a.parts("Reserve the seats * and *.")
	for _, seat := range p {
		a.click(quoted("Seat " + seat))
		a.uid(quoted("Seat "+seat), "checked")
	}
	a.click(`"Reserve"`)
})

var _ = solve("shadow-widget", func(a *agent) {
	p := a.parts("Answer the survey: * to the first question, * to the second, then send it.")
	a.click(quoted(p[0]), "Are you well?")
	a.click(quoted(p[1]), "Are you sure?")
	a.click(`"Send"`)
})

var _ = solve("closed-rating", func(a *agent) {
	p := a.parts(`Rate with * stars, with the comment "*".`)
	star := p[0] + " stars"
	if p[0] == "1" {
		star = "1 star"
	}
	a.click(quoted(star))
	a.fill(p[1], `"Comment"`)
	a.click(`"Rate"`)
})

var _ = solve("editor", func(a *agent) {
	word := a.parts(`Write "*" into the note, all of it bold, and save.`)[0]
	a.fill(word, `textbox "Note"`)
	a.press("ControlOrMeta+A")
	a.click(`"Bold"`)
	a.click(`"Save"`)
})

var _ = solve("multiselect", func(a *agent) {
	p := a.parts("Order the toppings * with the sauces *.")
	a.fill(p[0], `listbox "Toppings"`)
	for sauce := range strings.SplitSeq(p[1], ", ") {
		a.click("option", quoted(sauce))
		a.uid("option", quoted(sauce), "selected")
	}
	a.click(`"Order"`)
})

var _ = solve("rerender", func(a *agent) {
	p := a.parts("Donate * EUR as *, *. The form*")
	a.fillAnew(p[1], `"Name"`)
	a.fillAnew(p[0], `"Amount"`)
	a.wait(p[1] + ": " + p[0] + " EUR")
	if strings.HasPrefix(p[2], "not") {
		a.click("checkbox", `"Gift"`)
	}
	a.click(`"Donate"`)
})

// fillAnew is fill on a page that may draw the field anew just before.
func (a *agent) fillAnew(text string, words ...string) {
	a.t.Helper()
	for a.ctx.Err() == nil {
		e, code := a.try(obj{"type": "type", "uid": a.uid(words...), "text": text})
		switch code {
		case "":
			return
		case "element_stale":
		default:
			a.t.Fatalf("%s: %v", code, e["message"])
		}
	}
}

var _ = solve("job", func(a *agent) {
	get := a.uid(`"Download"`, "disabled")
	a.click(`"Start the export"`)
	a.do(obj{"type": "wait_for", "uid": get, "state": "enabled", "timeout": 20})
	a.do(obj{"type": "click", "uid": get})
})

var _ = solve("shortcuts", func(a *agent) {
	keys := strings.Split(a.parts("In the drawing press *.")[0], ", then ")
	a.click(`"Drawing"`)
	a.press(keys...)
})

var priceShown = regexp.MustCompile(`costs (\d+)`)

var _ = solve("tooltip", func(a *agent) {
	thing := a.parts("Enter the price of *, which*")[0]
	a.do(obj{"type": "hover", "uid": a.uid("button", quoted(thing))})
	a.wait(thing + " costs")
	m := priceShown.FindStringSubmatch(a.text())
	if m == nil {
		a.t.Fatal("no price is shown")
	}
	a.fill(m[1], `"Price"`)
	a.click(`"Check"`)
})

var _ = solve("frames", func(a *agent) {
	p := a.parts("In the innermost frame enter *, choose * and submit.")
	a.do(obj{"type": "wait_for", "text": "Submit"})
	a.fill(p[0], `"Name"`)
	a.click("radio", quoted(p[1]))
	a.click(`"Submit"`)
})

func number(a *agent, s string) int {
	a.t.Helper()
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil {
		a.t.Fatal(err)
	}
	return n
}
