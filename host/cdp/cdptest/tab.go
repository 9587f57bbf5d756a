package cdptest

import (
	"context"
	"time"
)

// Context is a raw client with a browser context of its own.
type Context struct {
	*Client
	ContextID string
}

// NewContext connects a raw client to b and makes a browser context, which is disposed of in tb's
// Cleanup with all its pages.
func NewContext(tb TB, b *Browser) *Context {
	tb.Helper()
	return NewContextAt(tb, b.WSURL)
}

// NewContextAt is NewContext for any browser, given its websocket URL.
func NewContextAt(tb TB, url string) *Context {
	tb.Helper()
	c := &Context{Client: Dial(tb, url)}
	c.ContextID = Field(c.Must(tb, "", "Target.createBrowserContext", M{"disposeOnDetach": true}), "browserContextId")
	tb.Cleanup(c.dispose)
	return c
}

// dispose closes the context. A browser that the test ended already does not answer.
func (c *Context) dispose() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_, _ = c.Call(ctx, "", "Target.disposeBrowserContext", M{"browserContextId": c.ContextID})
}

// Tab is a page seen through a session of a raw client.
type Tab struct {
	*Client
	TargetID  string // also the id of the top frame
	SessionID string
}

// NewTab opens a page at about:blank and attaches to it with Page and Runtime enabled.
func (c *Context) NewTab(tb TB) *Tab {
	tb.Helper()
	target := Field(c.Must(tb, "", "Target.createTarget", M{"url": "about:blank", "browserContextId": c.ContextID}), "targetId")
	t := &Tab{Client: c.Client, TargetID: target}
	t.SessionID = Field(c.Must(tb, "", "Target.attachToTarget", M{"targetId": target, "flatten": true}), "sessionId")
	t.Do(tb, "Page.enable", nil)
	t.Do(tb, "Runtime.enable", nil)
	return t
}

// Do sends a command on the tab's session and returns its result, or fails the test.
func (t *Tab) Do(tb TB, method string, params any) []byte {
	tb.Helper()
	return t.Must(tb, t.SessionID, method, params)
}

// Begin sends a command on the tab's session and waits for nothing.
func (t *Tab) Begin(method string, params any) <-chan Answer {
	return t.Send(Command{t.SessionID, method, params})[0]
}

// Navigate goes to url and waits until it has loaded.
func (t *Tab) Navigate(tb TB, url string) {
	tb.Helper()
	mark := t.Mark()
	t.Do(tb, "Page.navigate", M{"url": url})
	t.MustWait(tb, mark, On(t.SessionID, Is("Page.loadEventFired")))
}

// Eval evaluates a JavaScript expression, awaiting a promise, and returns its value as text.
func (t *Tab) Eval(tb TB, expression string) string {
	tb.Helper()
	result := t.Do(tb, "Runtime.evaluate", M{"expression": expression, "returnByValue": true, "awaitPromise": true})
	return Field(result, "result.value")
}
