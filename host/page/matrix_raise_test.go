package page_test

import (
	"strings"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/dialog"
	"cdphost/host/page"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// raise brings the dialog about, or has it come while the action runs. Where the
// action itself is to raise it, args are made to.
func (c cell) raise(b *bench, site *cdptest.Pages, args obj) (tabID string) {
	b.t.Helper()
	path := map[string]string{"popup": "/", "oopif": "/oopif", "srcdoc": "/srcdoc"}[c.way]
	if path == "" {
		path = "/"
	}
	b.must(obj{"type": "open_tab", "url": site.URL("a.test", path)})
	tabID = b.host.State().Current
	if c.kind == "beforeunload" {
		b.must(obj{"type": "evaluate", "expression": "1"}) // as a user would: evaluations are gestures
	}
	own := map[string]string{"click": "click", "hover": "hover", "key": "press_key", "evaluate": "evaluate", "load": "navigate"}[c.way] == c.action
	switch c.way {
	case "load":
		load := site.URL("a.test", "/load")
		if own || c.action == "open_tab" {
			args["url"] = load
		} else {
			b.met(obj{"type": "navigate", "url": load})
		}
	case "timer":
		b.must(obj{"type": "evaluate", "expression": "setTimeout(raise, 50); 1"})
	case "key":
		b.must(obj{"type": "evaluate", "expression": "document.getElementById('key').focus(); 1"})
		if !own {
			b.met(obj{"type": "press_key", "key": "x"})
		}
	case "evaluate":
		if own {
			args["expression"] = "raise(); 1"
		} else {
			b.met(obj{"type": "evaluate", "expression": "raise(); 1"})
		}
	case "click", "hover":
		if own {
			args["selector"] = "#" + c.way
		} else {
			b.met(obj{"type": c.way, "selector": "#" + c.way})
		}
	case "popup":
		b.must(obj{"type": "evaluate", "expression": "w = open('/popup'); 1"})
		st := b.until("the popup", func(st *page.State) bool {
			return len(st.Tabs) == 2 && st.Tabs[1].Loaded && strings.HasSuffix(st.Tabs[1].URL, "/popup")
		})
		b.must(obj{"type": "evaluate", "expression": "1", "tabId": st.Tabs[1].ID})
		b.must(obj{"type": "evaluate", "expression": "setTimeout(() => w.raise(), 50); 1", "tabId": tabID})
	default: // a frame
		b.touched(c.way)
		b.must(obj{"type": "evaluate", "expression": "frames[0].postMessage(1, '*'); 1"})
	}
	return tabID
}

// touched waits for the frame that is to raise the dialog and makes a gesture in it.
func (b *bench) touched(way string) {
	b.t.Helper()
	var last *page.Reply
	for b.in.Err() == nil {
		st := b.until("the frame", func(st *page.State) bool {
			return len(st.Tabs[0].Frames) == 2 && st.Tabs[0].Frames[1].Context != "" && st.Tabs[0].Frames[1].URL != "" &&
				(way == "srcdoc" || strings.HasSuffix(st.Tabs[0].Frames[1].URL, "/framed"))
		})
		last = b.do(obj{"type": "evaluate", "expression": "Boolean(self.raise && self.onmessage)", "frame_id": st.Tabs[0].Frames[1].ID})
		if last.OK && result(b.t, last)["value"] == true {
			return
		}
	}
	b.t.Fatalf("the frame never got ready: %v %v; %+v", last.Error, last.Result, b.host.State().Tabs)
}

// met does what raises a dialog and waits until it is there.
func (b *bench) met(args obj) {
	b.t.Helper()
	if r := b.do(args); !r.OK && r.Error.Code != fault.BlockedByDialog && r.Error.Code != fault.Timeout {
		b.t.Fatalf("raising with %v: %s: %s", args, r.Error.Code, r.Error.Message)
	}
	b.until("the dialog", blockedSomewhere)
}

func blockedSomewhere(st *page.State) bool {
	for i := range st.Tabs {
		if st.Tabs[i].Blocked != nil {
			return true
		}
	}
	return false
}

// recover answers what is pending until the tab, or a new one if it is gone, is
// of use. With raised, there must have been a dialog. With mortal, the browser
// may die of it.
func (b *bench) recover(tabID string, raised, mortal bool) {
	b.t.Helper()
	if raised {
		b.until("the dialog", func(st *page.State) bool {
			return blockedSomewhere(st) || len(b.s.Snapshot().Recent) > 0 || mortal && b.died()
		})
	}
	var last *page.Reply
	for b.in.Err() == nil {
		if mortal && b.died() {
			b.t.Log("Chromium crashed")
			return
		}
		for _, d := range b.s.Snapshot().Pending {
			if d.State == dialog.Orphaned {
				b.do(obj{"type": "navigate", "url": "about:blank", "tabId": d.TabID})
				continue
			}
			_, err := b.s.AnswerDialog(b.in, supervisor.DialogAnswer{ID: d.ID, Action: "accept", By: dialog.Agent})
			switch fault.CodeOf(err) {
			case "", fault.DialogClosed, fault.DialogNotFound, fault.NoDialog, fault.DialogOrphaned, fault.InternalError:
			default:
				if !mortal {
					b.t.Errorf("answering %s: %v", d.ID, err)
				}
			}
		}
		args := obj{"type": "evaluate", "expression": "6*7", "tabId": tabID}
		if _, open := b.host.State().Tab(tabID); !open {
			args = obj{"type": "open_tab", "url": "about:blank"}
		}
		if last = b.do(args); last.OK {
			return
		}
	}
	b.t.Fatalf("the page is of no use afterwards: %v", last.Error)
}
