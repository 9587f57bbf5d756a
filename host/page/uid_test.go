package page_test

import (
	"slices"
	"strings"
	"testing"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/page"
	"cdphost/sdk/fault"
)

// uid returns the uid of the only element whose line has all the words.
func (b *bench) uid(words ...string) string {
	b.t.Helper()
	list := b.must(obj{"type": "extract", "max_bytes": 100000})["elements"].(string)
	var hits []string
	for l := range strings.Lines(list) {
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(l, w) }) {
			uid, _, _ := strings.Cut(l, " ")
			hits = append(hits, uid)
		}
	}
	if len(hits) != 1 {
		b.t.Fatalf("%d elements have %q in\n%s", len(hits), words, list)
	}
	return hits[0]
}

func TestUIDSurvivesWhatKeepsItsNode(t *testing.T) {
	t.Parallel()
	b := newBench(t, page.Options{})
	b.open(`<div id=box><button onclick="this.textContent='Went'">Go</button></div><div id=to></div>`)
	uid := b.uid("Go")
	b.eval(`for (let i = 0; i < 50; i++) { const n = document.createElement('button'); n.textContent = 'n' + i; box.prepend(n) }; to.append(box.lastElementChild); 1`)
	if again := b.uid(`"Go"`); again != uid {
		t.Errorf("the node was %s and is now %s", uid, again)
	}
	b.must(obj{"type": "click", "uid": uid})
	if again := b.uid("Went"); again != uid {
		t.Errorf("the renamed node was %s and is now %s", uid, again)
	}
}

func TestUIDIsNotGivenAgainAfterARestart(t *testing.T) {
	t.Parallel()
	const html = `<button onclick="hits++">Go</button><script>hits=0</script>`
	b := newBench(t, page.Options{})
	b.open(html)
	old := b.uid("Go")
	b.e.Close()
	registry.Stop(b.in, b.key)
	b.start()
	b.open(html)
	b.fails(fault.ElementStale, obj{"type": "click", "uid": old})
	if again := b.uid("Go"); again == old {
		t.Errorf("%s was given to another node after the restart", old)
	}
	b.fails(fault.ElementStale, obj{"type": "click", "uid": old})
	b.fails(fault.ElementNotFound, obj{"type": "click", "uid": "e900"})
	if hits := b.eval("hits"); hits != float64(0) {
		t.Errorf("a stale uid was clicked %v times", hits)
	}
}

func TestStaleUIDSaysWhyAndHitsNothing(t *testing.T) {
	t.Parallel()
	const list = `<ul id=l><li>One <button onclick="hits++">Open</button></li><li>Two <button onclick="hits++">Open</button></li></ul><iframe src="/in"></iframe><script>hits=0</script>`
	for name, tc := range map[string]struct {
		words      []string
		change     string
		cause      string
		candidates bool
	}{
		"removed":    {[]string{"item: Two"}, `l.innerHTML = '<button>Other</button>'`, "removed", false},
		"replaced":   {[]string{"item: Two"}, `l.innerHTML = l.innerHTML`, "replaced", true},
		"frame gone": {[]string{"Framed"}, `document.querySelector('iframe').remove()`, "frame gone", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, page.Options{})
			b.openSite(cdptest.Hosts{"*": cdptest.Paths{"/": list, "/in": `<button>Framed</button>`}})
			uid := b.uid(tc.words...)
			b.eval(tc.change + "; 1")
			if tc.cause == "frame gone" {
				b.must(obj{"type": "wait_for", "selector": "iframe", "state": "detached"})
				b.until("the frame to be gone", func(st *page.State) bool { return len(st.Tabs[0].Frames) == 1 })
			}
			f := b.fails(fault.ElementStale, obj{"type": "click", "uid": uid})
			if f.Details["cause"] != tc.cause {
				t.Errorf("cause %v, want %s (%s)", f.Details["cause"], tc.cause, f.Message)
			}
			candidates, _ := f.Details["candidates"].([]string)
			if tc.candidates != (len(candidates) > 0) {
				t.Errorf("candidates %v, want some: %v", candidates, tc.candidates)
			}
			if tc.candidates && !strings.Contains(candidates[0], "item: Two") {
				t.Errorf("the closest candidate is %q, want the one in item Two", candidates[0])
			}
			if hits := b.eval("hits"); hits != float64(0) {
				t.Errorf("a click on a stale uid hit something %v times", hits)
			}
		})
	}
}

func TestStaleUIDAfterNavigation(t *testing.T) {
	t.Parallel()
	b := newBench(t, page.Options{})
	site := b.openSite(cdptest.Hosts{"*": cdptest.Paths{
		"/": `<button onclick="hits++">Pay now</button><script>hits=0</script>`,
	}})
	uid := b.uid("Pay now")
	b.must(obj{"type": "navigate", "url": site.URL("a.test", "/?2")})
	f := b.fails(fault.ElementStale, obj{"type": "click", "uid": uid})
	if f.Details["cause"] != "navigated" {
		t.Errorf("cause %v, want navigated", f.Details["cause"])
	}
	candidates, _ := f.Details["candidates"].([]string)
	if len(candidates) != 1 || !strings.Contains(candidates[0], "Pay now") || strings.HasPrefix(candidates[0], uid+" ") {
		t.Errorf("candidates %v, want the new button under a new uid", candidates)
	}
	if hits := b.eval("hits"); hits != float64(0) {
		t.Errorf("the click hit something %v times", hits)
	}
	b.fails(fault.ElementNotFound, obj{"type": "click", "uid": "e999"})
	b.fails(fault.ElementNotFound, obj{"type": "click", "uid": "button"})
	first := b.must(obj{"type": "get_tabs"})["tabs"].([]any)[0].(obj)["tabId"]
	b.open(`other`)
	b.fails(fault.ElementNotFound, obj{"type": "click", "uid": uid}) // it is on the first tab
	b.fails(fault.ElementStale, obj{"type": "click", "uid": uid, "tabId": first})
}

// until waits for a state of the task.
func (b *bench) until(what string, wanted func(*page.State) bool) *page.State {
	b.t.Helper()
	for {
		changed := b.host.Changed()
		if st := b.host.State(); wanted(st) {
			return st
		}
		select {
		case <-changed:
		case <-b.in.Done():
			b.t.Fatalf("waiting for %s: %v", what, b.in.Err())
		}
	}
}
