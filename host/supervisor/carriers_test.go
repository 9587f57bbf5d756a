package supervisor_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/supervisor"
)

// documents are what a case's browser finds, by host and path. {{port}} is the site's
// port. Scripts and expressions are what the mock understands, too.
type documents map[string]cdptest.Document

// plainPages serve cases that need no more.
var plainPages = documents{
	"a.test/": {Title: "one"}, "a.test/two": {Title: "two"},
	"b.test/": {Title: "other"},
}

// framedPages are those of framed without the names of its frames.
var framedPages = documents{
	"a.test/":     {Title: "top", Frames: []string{"http://a.test:{{port}}/same", "http://b.test:{{port}}/"}},
	"a.test/same": {Title: "same"}, "a.test/leaf": {Title: "leaf"},
	"b.test/": {Title: "other", Frames: []string{"http://c.test:{{port}}/"}},
	"c.test/": {Title: "nested"},
}

// carrier is a browser that a case runs on: the mock, or Chromium.
type carrier struct {
	ws   string
	mock *cdptest.Server // nil for Chromium
	port int
	// shared is the registry of the browser's link, nil where each task has its own.
	shared *supervisor.Registry
}

// url names a document.
func (c carrier) url(hostPath string) string {
	host, path, _ := strings.Cut(hostPath, "/")
	return "http://" + host + ":" + strconv.Itoa(c.port) + "/" + path
}

// task starts a task on the browser.
func (c carrier) task(t *testing.T, set supervisor.Settings) *supervisor.Supervisor {
	t.Helper()
	r := c.shared
	if r == nil {
		r = ownRegistry(t, quick(t))
	}
	return taskOn(t, r, c.ws, set)
}

// user connects a client that is not the host's.
func (c carrier) user(t *testing.T) *cdptest.Client {
	t.Helper()
	return cdptest.Dial(t, c.ws)
}

// onBoth runs a case on the mock and on the Chromium that tests share.
func onBoth(t *testing.T, docs documents, run func(t *testing.T, c carrier)) {
	t.Helper()
	onEach(t, docs, func(t *testing.T, c carrier) {
		if c.mock == nil {
			c.ws, c.shared = cdptest.SharedChrome(t).WSURL, registry
		}
		run(t, c)
	})
}

// onBothAlone is onBoth with a Chromium of the case's own, for what would disturb
// others.
func onBothAlone(t *testing.T, docs documents, run func(t *testing.T, c carrier)) {
	t.Helper()
	onEach(t, docs, func(t *testing.T, c carrier) {
		if c.mock == nil {
			c.ws = cdptest.Chrome(t).WSURL
		}
		run(t, c)
	})
}

func onEach(t *testing.T, docs documents, run func(t *testing.T, c carrier)) {
	t.Helper()
	t.Run("mock", func(t *testing.T) {
		t.Parallel()
		m := cdptest.New(t, cdptest.Options{})
		c := carrier{ws: m.URL(), mock: m, port: 8765}
		for hostPath, doc := range docs {
			m.Serve(c.url(hostPath), at(doc, c.port))
		}
		run(t, c)
	})
	t.Run("chromium", func(t *testing.T) {
		t.Parallel()
		hosts := cdptest.Hosts{}
		for hostPath, doc := range docs {
			host, path, _ := strings.Cut(hostPath, "/")
			paths, ok := hosts[host].(cdptest.Paths)
			if !ok {
				paths = cdptest.Paths{}
				hosts[host] = paths
			}
			paths["/"+path] = doc.HTML()
		}
		run(t, carrier{port: cdptest.Site(t, hosts).Port})
	})
}

// at returns a document with the port of its site in it.
func at(doc cdptest.Document, port int) cdptest.Document {
	doc.Frames = slices.Clone(doc.Frames)
	for i, frame := range doc.Frames {
		doc.Frames[i] = strings.ReplaceAll(frame, "{{port}}", strconv.Itoa(port))
	}
	return doc
}

// ask evaluates an expression that a dialog may stop, and returns where its value
// comes.
func ask(c *cdptest.Client, session, expression string) <-chan cdptest.Answer {
	return c.Send(cdptest.Command{SessionID: session, Method: "Runtime.evaluate", Params: cdptest.M{"expression": expression, "userGesture": true}})[0]
}

// got waits for the value of what was asked.
func got(t *testing.T, answer <-chan cdptest.Answer) string {
	t.Helper()
	select {
	case a := <-answer:
		if a.Err != nil {
			t.Errorf("the page's answer: %v", a.Err)
		}
		return cdptest.Field(a.Result, "result.value")
	case <-bound(t).Done():
		t.Fatal("the page does not go on")
		return ""
	}
}

// asks has a task's page evaluate an expression that a dialog may stop, and returns
// where its value comes.
func asks(s *supervisor.Supervisor, session, expression string) <-chan cdptest.Answer {
	answer := make(chan cdptest.Answer, 1)
	s.Post(evaluate(session, "", expression), func(result json.RawMessage, err error) {
		answer <- cdptest.Answer{Result: result, Err: err}
	})
	return answer
}
