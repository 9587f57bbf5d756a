package tasks

import (
	"fmt"
	"regexp"
	"strings"
)

var _ = solve("inbox-reply", func(a *agent) {
	p := a.parts(`Star the mail of * and reply to it with "*".`)
	a.click(`"Star"`, "item: "+p[0])
	a.uid(`"Star"`, "item: "+p[0], "pressed")
	lines := a.extract() // the link stands behind the star
	for i, line := range lines {
		if strings.Contains(line, "item: "+p[0]) {
			uid, _, _ := strings.Cut(lines[i+1], " ")
			a.do(obj{"type": "click", "uid": uid})
		}
	}
	a.wait("From " + p[0])
	a.fill(p[1], `"Reply"`)
	a.click(`"Send"`)
})

var _ = solve("inbox-bulk", func(a *agent) {
	p := a.parts("Archive all mails with the subject * but the one of *.")
	a.fill(p[0], `"Search"`)
	for {
		_, lines := a.all(`checkbox "Select"`)
		if seen := a.text(); strings.Count(seen, p[0])-1 == len(lines) {
			break
		}
	}
	a.click(`"Select all shown"`)
	a.click(`"Select"`, "row: "+p[1])
	a.click(`"Archive selected"`)
})

var flight = regexp.MustCompile(`(\d+:15), direct, (\d+) EUR`)

var _ = solve("booking", func(a *agent) {
	p := a.parts("Book the cheapest direct flight, one way, from * to * on * for * people. Confirm*")
	a.click(`"One way"`)
	a.fill(p[0], `"From"`)
	a.fill(p[1], `"To"`)
	a.fill(p[2], `"Depart"`)
	for range number(a, p[3]) - 1 {
		a.click(`"More"`)
	}
	a.click(`"Search"`)
	a.do(obj{"type": "wait_for", "selector": "#found button"})
	best, price := "", 1<<30
	for _, m := range flight.FindAllStringSubmatch(a.text(), -1) {
		if n := number(a, m[2]); n < price {
			best, price = m[1], n
		}
	}
	said := a.stopped(obj{"type": "click", "uid": a.uid(`"Book"`, "item: "+best)})
	if want := fmt.Sprintf("Pay %d EUR?", price*number(a, p[3])); said != want {
		a.t.Errorf("the page asks %q, want %q", said, want)
	}
	a.accept()
	a.message()
	a.accept()
})

var _ = solve("shop", func(a *agent) {
	p := a.parts("Put * of the * into the cart, enter the coupon *, and check out.")
	a.fill(p[0], `"Quantity"`, "group: "+p[1])
	a.click(`"Add to cart"`, "group: "+p[1])
	a.wait("Cart: {")
	a.stopped(obj{"type": "click", "uid": a.uid(`"Enter a coupon"`)})
	a.accept(p[2])
	a.click(`"Check out"`)
})

var price = regexp.MustCompile(`Price: (\d+)\.00 EUR`)

var _ = solve("shop-pages", func(a *agent) {
	_, lines := a.all("link ")
	best, most := "", 0
	for _, line := range lines {
		name := strings.Split(line, `"`)[1]
		a.click("link", quoted(name))
		m := price.FindStringSubmatch(a.text())
		if m == nil {
			a.t.Fatalf("the page of %s tells no price", name)
		}
		if n := number(a, m[1]); n > most {
			best, most = name, n
		}
		a.click(`"Back to the list"`)
	}
	a.click("link", quoted(best))
	a.click(`"Buy"`)
	a.wait("Checkout")
	a.click(`"Courier"`)
	a.click(`"Pay"`)
})

var codeInTab = regexp.MustCompile(`The code is (\w+)`)

var _ = solve("new-tab", func(a *agent) {
	opened := a.opened(a.click("link", `"Show the code in a new tab"`))
	a.do(obj{"type": "wait_for", "text": "The code is K", "tabId": opened})
	m := codeInTab.FindStringSubmatch(fmt.Sprint(a.do(obj{"type": "extract", "tabId": opened})["text"]))
	if m == nil {
		a.t.Fatal("the new tab tells no code")
	}
	a.do(obj{"type": "close_tab", "tabId": opened})
	a.back()
	a.fill(m[1], `"Code"`)
	a.click(`"Unlock"`)
})
