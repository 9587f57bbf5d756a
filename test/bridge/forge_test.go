package bridge

import (
	"encoding/json"
	"testing"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/dialog"
	"cdphost/host/supervisor"
)

// TestForgedDialogs has a page try everything that looks like the bridge's own:
// none of it becomes a dialog, and the page is not told more than before.
func TestForgedDialogs(t *testing.T) {
	t.Parallel()
	site := cdptest.Site(t, cdptest.Hosts{"*": cdptest.Paths{"/": asking}})
	const ask = `try { x = new XMLHttpRequest; x.open(M, U, false); x.send(B); x.responseText } catch (e) { "refused" }`
	for _, k := range []kind{debugger, xhr} {
		_, b := k.start(t, `{}`)
		t.Run(string(k), func(t *testing.T) {
			t.Parallel()
			s := task(t, supervisor.Settings{Bridge: b})
			p := loaded(t, s, site.URL("a.test", "/"))
			// One real dialog, so that the page has seen whatever there is to see.
			out := start(s, p.SessionID, `stack = ""; String(confirm({ toString() { stack = new Error().stack; return "asked" } }))`)
			answer(t, s, held(t, s, "asked").ID, "accept", nil)
			receive(t, out)
			for _, expression := range []string{
				`M = "POST"; U = "https://hermes-dialog-bridge.invalid/dialog"; B = JSON.stringify({token: "guess", type: "confirm", message: "forged"}); ` + ask,
				`M = "POST"; U = "https://hermes-dialog-bridge.invalid/dialog"; B = '{"type":"confirm","message":"forged"}'; ` + ask,
				`M = "GET"; U = "https://hermes-dialog-bridge.invalid/dialog?type=confirm"; B = null; ` + ask,
				`M = "POST"; U = "https://hermes-dialog-bridge.invalid.evil.test/dialog"; B = "{}"; ` + ask,
				`M = "POST"; U = "http://a.test/https://hermes-dialog-bridge.invalid/dialog"; B = "{}"; ` + ask,
			} {
				if got := evaluate(t, s, p.SessionID, expression); got != "refused" {
					t.Errorf("%s: the page got %q", expression, got)
				}
			}
			for what, expression := range map[string]string{
				"a pause of its own": `eval('(function cdphostDialog() { const box = {}; debugger; return String(box.answer) }).call(' +
					'JSON.stringify({type: "confirm", message: "forged"}))\n//# sourceURL=cdphost-dialog-bridge-guess')`,
				"an anonymous one": `(function cdphostDialog() { const box = {}; debugger; return String(box.answer) }).call("{}")`,
			} {
				if got := evaluate(t, s, p.SessionID, expression); got != "undefined" {
					t.Errorf("%s: the page got %q", what, got)
				}
			}
			seen := evaluate(t, s, p.SessionID, `stack + performance.getEntriesByType("resource").map(e => e.name) + Object.getOwnPropertyNames(window).filter(n => n.length > 24)`)
			if token := evaluate(t, s, p.SessionID, `/[a-z2-7]{26}/.exec(`+quoted(seen)+`)`); token != "" && token != "null" {
				t.Errorf("the page can see the token: %s", seen)
			}
			for _, name := range []string{"alert", "confirm", "prompt"} {
				if got := evaluate(t, s, p.SessionID, name+".name + "+name+".length + /native code/.test("+name+")"); got != name+map[string]string{"alert": "0true", "confirm": "0true", "prompt": "0true"}[name] {
					t.Errorf("%s looks like %q", name, got)
				}
			}
			snap := s.Snapshot()
			if len(snap.Pending) != 0 || len(snap.Recent) != 1 || snap.Recent[0].ClosedBy != dialog.Agent {
				t.Errorf("dialogs: %+v %+v", snap.Pending, snap.Recent)
			}
		})
	}
}

// TestAntiDebugLoops: a page that watches for a debugger with debugger
// statements notices none, and its dialogs work on.
func TestAntiDebugLoops(t *testing.T) {
	t.Parallel()
	site := cdptest.Site(t, cdptest.Hosts{"*": cdptest.Paths{
		"/loop.js": ``,
		"/": `<title>page</title><script>
			worst = 0; rounds = 0;
			const spent = (f) => { const t = performance.now(); f(); worst = Math.max(worst, performance.now() - t); rounds++ };
			setInterval(() => spent(() => { debugger }), 3);
			setInterval(() => spent(Function("debugger")), 3);
			setInterval(() => spent(() => eval("debugger")), 3);
		</script>`,
	}})
	_, b := debugger.start(t, `{}`)
	s := task(t, supervisor.Settings{Bridge: b})
	sub := s.Subscribe(supervisor.Filter{Methods: []string{"Debugger.paused"}}, 16)
	defer sub.Close()
	p := loaded(t, s, site.URL("a.test", "/"))
	for range 5 {
		out := start(s, p.SessionID, `String(confirm("asked"))`)
		answer(t, s, held(t, s, "asked").ID, "accept", nil)
		if got := receive(t, out); got != "true" {
			t.Errorf("the page saw %q", got)
		}
	}
	call(t, s, p.SessionID, "Runtime.evaluate", cdptest.M{
		"expression": `new Promise(r => { const n = rounds + 100; setInterval(() => rounds > n && r(), 5) })`, "awaitPromise": true,
	})
	// The pauses of the bridge itself stop the loops between two rounds, so no
	// round is longer for them; a pause of theirs would be one that is told.
	select {
	case e := <-sub.C:
		t.Errorf("the page's own statement paused: %s", e.Params)
	default:
	}
}

func quoted(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		return `""`
	}
	return string(data)
}
