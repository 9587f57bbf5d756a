package cdptest_test

import (
	"testing"

	"cdphost/host/cdp/cdptest"
)

func TestMockSmoke(t *testing.T) {
	t.Parallel()
	s := cdptest.New(t, cdptest.Options{})
	s.Serve("http://a.test/if", cdptest.Document{Title: "IF", Frames: []string{"http://b.test/", "about:srcdoc"}})
	tab := cdptest.NewContextAt(t, s.URL()).NewTab(t)
	tab.Navigate(t, "http://a.test/if")
	if got := tab.Eval(t, "document.title"); got != "IF" {
		t.Errorf("title = %q", got)
	}
	mark := tab.Mark()
	call := tab.Begin("Runtime.evaluate", cdptest.M{"expression": "prompt('q','d')"})
	tab.MustWait(t, mark, cdptest.Is("Page.javascriptDialogOpening", "type", "prompt"))
	tab.Do(t, "Page.handleJavaScriptDialog", cdptest.M{"accept": true, "promptText": "x"})
	if got := cdptest.Field((<-call).Result, "result.value"); got != "x" {
		t.Errorf("prompt = %q", got)
	}
	s.Drop()
	<-tab.Done()
}
