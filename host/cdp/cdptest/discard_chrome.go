package cdptest

import (
	"os"
	"path/filepath"
	"strconv"
)

// DiscardingChrome is [Chrome] with an extension that discards tabs of the default browser context on
// demand, see [Browser.DiscardTab]: the browser's own means spare a tab that a client is attached to.
func DiscardingChrome(tb TB) *Browser {
	tb.Helper()
	dir, err := os.MkdirTemp("", "cdptest-extension-")
	if err != nil {
		tb.Fatalf("cdptest: %v", err)
	}
	tb.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			tb.Errorf("cdptest: %v", err)
		}
	})
	for name, text := range map[string]string{
		"manifest.json": `{"manifest_version":3,"name":"discards","version":"1","permissions":["tabs"],"background":{"service_worker":"worker.js"}}`,
		"worker.js":     "",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			tb.Fatalf("cdptest: %v", err)
		}
	}
	return Chrome(tb, "--load-extension="+dir, noSpare+",DisableLoadExtensionCommandLineSwitch")
}

// DiscardTab has the extension of a [DiscardingChrome] discard the tab that shows a URL, which must not
// be the one in front of its window.
func (b *Browser) DiscardTab(tb TB, url string) {
	tb.Helper()
	c := Dial(tb, b.WSURL)
	defer c.Close()
	c.Must(tb, "", "Target.setDiscoverTargets", M{"discover": true, "filter": []M{{"type": "service_worker"}}})
	worker := c.MustWait(tb, 0, Is("Target.targetCreated")).Get("targetInfo.targetId")
	session := Field(c.Must(tb, "", "Target.attachToTarget", M{"targetId": worker, "flatten": true}), "sessionId")
	raw := c.Must(tb, session, "Runtime.evaluate", M{"awaitPromise": true, "returnByValue": true, "expression": `chrome.tabs.query({})
		.then(tabs=>chrome.tabs.discard(tabs.find(tab=>tab.url===` + strconv.Quote(url) + `).id)).then(tab=>tab.discarded)`})
	if Field(raw, "result.value") != "true" {
		tb.Fatalf("cdptest: the tab %s was not discarded: %s", url, raw)
	}
}
