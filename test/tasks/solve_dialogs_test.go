package tasks

import (
	"fmt"
	"strings"
)

var _ = solve("popup-login", func(a *agent) {
	p := a.parts("Log in as * with the PIN * and claim the bonus.")
	opened := a.opened(a.click(`"Log in"`))
	a.do(obj{"type": "wait_for", "selector": "[name=pin]", "tabId": opened})
	a.do(obj{"type": "type", "selector": "[name=user]", "text": p[0], "tabId": opened})
	a.do(obj{"type": "type", "selector": "[name=pin]", "text": p[1], "tabId": opened})
	a.closes(obj{"type": "click", "selector": "button", "tabId": opened})
	a.back()
	a.wait("is logged in")
	a.click(`"Claim the bonus"`)
})

// opened waits for a tab besides the first.
func (a *agent) opened(click obj) string {
	a.t.Helper()
	if tabs, ok := click["opened_tabs"].([]any); ok && len(tabs) == 1 {
		return fmt.Sprint(tabs[0])
	}
	for a.ctx.Err() == nil {
		if tabs, _ := a.do(obj{"type": "get_tabs"})["tabs"].([]any); len(tabs) == 2 {
			tab, _ := tabs[1].(obj)
			return fmt.Sprint(tab["tabId"])
		}
	}
	a.t.Fatal("no tab opened")
	return ""
}

// closes carries out an action that closes its tab.
func (a *agent) closes(args obj) {
	a.t.Helper()
	if e, code := a.try(args); code != "" && code != "tab_not_found" {
		a.t.Fatalf("%v: %s: %v", args, code, e["message"])
	}
}

// back makes the first tab the current one again.
func (a *agent) back() {
	a.t.Helper()
	a.do(obj{"type": "evaluate", "expression": "1", "tabId": "t1"})
}

var _ = solve("popup-consent", func(a *agent) {
	bank := a.parts("Link the account of *; consent*")[0]
	opened := a.opened(a.click(`"Link the account"`))
	a.do(obj{"type": "wait_for", "text": bank, "tabId": opened})
	list := fmt.Sprint(a.do(obj{"type": "extract", "tabId": opened})["elements"])
	var uid string
	for line := range strings.Lines(list) {
		if strings.Contains(line, quoted(bank)) {
			uid, _, _ = strings.Cut(line, " ")
		}
	}
	if said := a.stopped(obj{"type": "click", "uid": uid, "tabId": opened}); !strings.Contains(said, bank) {
		a.t.Errorf("the popup asks %q", said)
	}
	if _, code := a.try(obj{"type": "click", "selector": "#link", "tabId": "t1"}); code != "blocked_by_dialog" {
		a.t.Errorf("the opener, which its popup's dialog holds, answers with %q", code)
	}
	a.dismiss()
	a.back()
})

var _ = solve("inbox-delete", func(a *agent) {
	from := a.parts("Delete the mail of * for good.*")[0]
	if said := a.stopped(obj{"type": "click", "uid": a.uid(`"Delete"`, "row: "+from)}); !strings.HasPrefix(said, "Block") {
		a.t.Errorf("the page asks %q", said)
	}
	a.dismiss()
	if said := a.message(); !strings.HasPrefix(said, "Delete") {
		a.t.Errorf("then it asks %q", said)
	}
	a.accept()
})

var _ = solve("payment", func(a *agent) {
	p := a.parts("Pay with the card *, code *.")
	a.pay(p[0], p[1])
	a.click(`"Pay now"`)
})

func (a *agent) pay(card, code string) {
	a.t.Helper()
	a.do(obj{"type": "wait_for", "selector": "[name=card]"})
	a.fill(strings.ReplaceAll(card, " ", ""), `"Card number"`)
	a.uid(`"Card number"`, quoted(card))
	a.fill(code, `"Code"`)
}

var _ = solve("payment-confirm", func(a *agent) {
	p := a.parts("Pay with the card *, code *. The bank asks for a confirmation: give it if it names the total of the order, * EUR.")
	a.pay(p[0], p[1])
	if said := a.stopped(obj{"type": "click", "uid": a.uid(`"Pay now"`)}); said != "Pay "+p[2]+" EUR?" {
		a.t.Errorf("the bank asks %q", said)
	}
	a.accept()
})

var _ = solve("draft", func(a *agent) {
	word := a.parts(`Write "*", click Leave, stay when the page asks, then save.`)[0]
	a.fill(word, `"Text"`)
	a.stopped(obj{"type": "click", "uid": a.uid(`link "Leave"`)})
	a.dismiss()
	a.click(`"Save"`)
})

var _ = solve("greeting", func(a *agent) {
	said := a.message()
	name := strings.TrimPrefix(said, "Welcome, ")
	name, _, ok := strings.Cut(name, "!")
	if !ok {
		a.t.Fatalf("the page says %q", said)
	}
	a.accept()
	a.message()
	a.accept(name)
	a.wait("Hello, " + name)
	a.click(`"Go on"`)
})

var _ = solve("interrupted", func(a *agent) {
	p := a.parts("Order * of * to *. Refuse*")
	a.fill(p[1], `"Item"`)
	a.undisturbed(obj{"type": "type", "selector": "[name=number]", "text": p[0]})
	a.undisturbed(obj{"type": "type", "selector": "[name=street]", "text": p[2]})
	a.click(`"Order"`)
})

// undisturbed carries out an action again until no dialog comes between; the
// dialogs are dismissed.
func (a *agent) undisturbed(args obj) {
	a.t.Helper()
	for range 4 {
		e, code := a.try(args)
		if code != "" && code != "blocked_by_dialog" {
			a.t.Fatalf("%v: %s: %v", args, code, e["message"])
		}
		// A dialog that is just about to open belongs to this action as well.
		if _, again := a.try(obj{"type": "wait_for", "text": "subscribed", "timeout": 0.3}); again == "blocked_by_dialog" || code == "blocked_by_dialog" {
			a.dismiss()
			continue
		}
		return
	}
	a.t.Fatalf("%v is disturbed without end", args)
}

var _ = solve("chain", func(a *agent) {
	p := a.parts("Begin, read the notice, * to the terms, and give the name *.")
	a.stopped(obj{"type": "click", "uid": a.uid(`"Begin"`)})
	a.accept()
	a.message()
	if p[0] == "agree" {
		a.accept()
	} else {
		a.dismiss()
	}
	a.message()
	a.accept(p[1])
})
