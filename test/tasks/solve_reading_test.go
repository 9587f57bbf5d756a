package tasks

import (
	"regexp"
	"strconv"
	"strings"
)

var _ = solve("tabs", func(a *agent) {
	p := a.parts("In the tab * switch on Option * and save there.")
	a.click("tab", quoted(p[0]))
	a.uid("tab", quoted(p[0]), "selected")
	a.click("checkbox", quoted("Option "+p[1]))
	a.click(`"Save"`)
})

var codeSaid = regexp.MustCompile(`The code is (\w+)\.`)

var _ = solve("accordion", func(a *agent) {
	topic := a.parts("Find the code in the section *, under Details, and submit it.")[0]
	a.click("button", quoted(topic), "collapsed")
	a.click(`"Details"`, "collapsed")
	m := codeSaid.FindStringSubmatch(a.text())
	if m == nil {
		a.t.Fatal("the page tells no code: " + a.text())
	}
	a.fill(m[1], `"Code"`)
	a.click(`"Submit"`)
})

var _ = solve("twins", func(a *agent) {
	p := a.parts("View *, then remove *.")
	a.click(`"View"`, "row: "+p[0])
	a.click(`"Remove"`, "row: "+p[1])
})

var _ = solve("table-sort", func(a *agent) {
	a.click(`button "Price"`)
	a.click(`button "Price"`)
	uids, _ := a.all(`"Take"`)
	a.do(obj{"type": "click", "uid": uids[0]})
})

var _ = solve("nested-scroll", func(a *agent) {
	n := a.parts("In the innermost box press Accept *, which*")[0]
	accept := a.uid(quoted("Accept "+n), "disabled")
	a.do(obj{"type": "scroll", "uid": accept})
	a.do(obj{"type": "scroll", "uid": accept, "to": "bottom"})
	a.do(obj{"type": "wait_for", "uid": accept, "state": "enabled"})
	a.do(obj{"type": "click", "uid": accept})
})

var _ = solve("lazy-list", func(a *agent) {
	name := a.parts("Like the post of *; older*")[0]
	for a.ctx.Err() == nil {
		if uids, _ := a.all(`"Like"`, name); len(uids) == 1 {
			a.do(obj{"type": "click", "uid": uids[0]})
			return
		}
		a.do(obj{"type": "scroll", "to": "bottom"})
	}
})

var _ = solve("virtual-list", func(a *agent) {
	want, _ := strconv.Atoi(a.parts("Open entry * of the list; only*")[0])
	a.do(obj{"type": "scroll", "selector": "#box", "dy": want*30 - 100})
	a.click(quoted("Open entry " + strconv.Itoa(want)))
})

var _ = solve("reorder", func(a *agent) {
	want := strings.Split(a.parts("Bring the playlist into the order *. A handle*")[0], ", ")
	for to, song := range want {
		_, lines := a.all(`"Move `)
		at := to
		for i, l := range lines {
			if strings.Contains(l, quoted("Move "+song)) {
				at = i
			}
		}
		if at == to {
			continue
		}
		handle := a.uid(quoted("Move " + song))
		a.do(obj{"type": "scroll", "uid": handle})
		a.focus(song)
		a.press("Space")
		for range at - to {
			a.press("ArrowUp")
		}
		a.press("Space")
	}
	a.click(`"Save order"`)
})

// focus tabs to the handle of a song.
func (a *agent) focus(song string) {
	for range 20 {
		if uids, _ := a.all(quoted("Move "+song), "focused"); len(uids) == 1 {
			return
		}
		a.press("Tab")
	}
	a.t.Fatalf("the handle of %s takes no focus", song)
}
