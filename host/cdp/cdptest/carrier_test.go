package cdptest_test

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cdphost/host/cdp/cdptest"
)

// documents are what both carriers serve, by host and path. {{port}} is the site's port.
var documents = map[string]cdptest.Document{
	"a.test/":       {Title: "A"},
	"a.test/frame":  {Title: "Frame", Frames: []string{"http://b.test:{{port}}/"}},
	"a.test/local":  {Title: "Local", Frames: []string{"http://a.test:{{port}}/"}},
	"a.test/alert":  {Title: "Alert", Script: "alert('inline')"},
	"a.test/deep":   {Title: "Deep", Frames: []string{"http://b.test:{{port}}/frame"}},
	"a.test/unload": {Title: "Unload", BeforeUnload: true},
	"b.test/":       {Title: "B"},
	"b.test/frame":  {Title: "B frame", Frames: []string{"http://c.test:{{port}}/"}},
	"b.test/alert":  {Title: "B alert", Script: "alert('inline')"},
	"c.test/":       {Title: "C"},
}

// carrier is a browser that the cases run on: the mock or Chromium.
type carrier struct {
	ws  string
	url func(hostPath string) string
	// discard has a page of the default context discarded, which shows a URL.
	discard func(t *testing.T, targetID, url string)
}

// mockCarrier is the mock with the documents.
func mockCarrier(t *testing.T) carrier {
	t.Helper()
	s := cdptest.New(t, cdptest.Options{})
	const port = 8765
	url := func(hostPath string) string { return siteURL(hostPath, port) }
	for hostPath, doc := range documents {
		doc.Frames = slices.Clone(doc.Frames)
		for i, frame := range doc.Frames {
			doc.Frames[i] = strings.ReplaceAll(frame, "{{port}}", strconv.Itoa(port))
		}
		s.Serve(url(hostPath), doc)
	}
	return carrier{ws: s.URL(), url: url, discard: func(_ *testing.T, targetID, _ string) { s.Page(targetID).Discard() }}
}

// chromeCarrier is a Chromium of its own with a site of the documents.
func chromeCarrier(t *testing.T) carrier {
	t.Helper()
	return carrierOn(t, cdptest.Chrome(t))
}

// carrierOn is a Chromium with a site of the documents.
func carrierOn(t *testing.T, browser *cdptest.Browser) carrier {
	t.Helper()
	hosts := cdptest.Hosts{}
	for hostPath, doc := range documents {
		host, path, _ := strings.Cut(hostPath, "/")
		if hosts[host] == nil {
			hosts[host] = cdptest.Paths{}
		}
		paths, ok := hosts[host].(cdptest.Paths)
		if !ok {
			t.Fatal("host is not made of paths")
		}
		paths["/"+path] = doc.HTML()
	}
	maps.Copy(hosts, cdptest.Hosts{"*": http.NotFoundHandler()})
	site := cdptest.Site(t, hosts)
	return carrier{
		ws:      browser.WSURL,
		url:     func(hostPath string) string { return siteURL(hostPath, site.Port) },
		discard: func(t *testing.T, _, url string) { browser.DiscardTab(t, url) },
	}
}

func siteURL(hostPath string, port int) string {
	host, path, _ := strings.Cut(hostPath, "/")
	return "http://" + host + ":" + strconv.Itoa(port) + "/" + path
}
