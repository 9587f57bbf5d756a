package cdptest_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/coder/websocket"

	"cdphost/host/cdp/cdptest"
)

func TestProxyDropsBehindADialog(t *testing.T) {
	t.Parallel()
	p := cdptest.NewProxy(t, cdptest.ProxyOptions{Target: cdptest.SharedChrome(t).WSURL})
	p.DropAfter("Page.javascriptDialogOpening")
	tab := cdptest.NewContextAt(t, p.URL()).NewTab(t)
	tab.Begin("Runtime.evaluate", cdptest.M{"expression": "alert(1)"})
	<-tab.Done()
	if !errors.Is(tab.Err(), cdptest.ErrClientClosed) {
		t.Errorf("Err = %v", tab.Err())
	}
	if n := len(tab.Events(0, cdptest.Is("Page.javascriptDialogOpening"))); n != 1 {
		t.Errorf("%d dialogs opened before the drop, want 1", n)
	}
}

func TestProxyHalfOpenSwallowsEverything(t *testing.T) {
	t.Parallel()
	p := cdptest.NewProxy(t, cdptest.ProxyOptions{Target: cdptest.SharedChrome(t).WSURL})
	c := cdptest.Dial(t, p.URL())
	c.Must(t, "", "Browser.getVersion", nil)
	p.HalfOpen()
	lost := c.Send(cdptest.Command{Method: "Browser.getVersion"})[0]
	second := cdptest.Dial(t, p.URL())
	second.Must(t, "", "Browser.getVersion", nil) // a full round trip later ...
	select {
	case answer := <-lost:
		t.Errorf("answered over a half-open connection: %+v", answer)
	case <-c.Done():
		t.Error("half-open connection is closed")
	default:
	}
	if n := p.Connections(); n != 2 {
		t.Errorf("Connections = %d, want 2", n)
	}
}

func TestProxyClosesWithACode(t *testing.T) {
	t.Parallel()
	p := cdptest.NewProxy(t, cdptest.ProxyOptions{Target: cdptest.SharedChrome(t).WSURL})
	c := cdptest.Dial(t, p.URL())
	p.CloseWith(websocket.StatusMessageTooBig, "too big")
	<-c.Done()
	if code := websocket.CloseStatus(c.Err()); code != websocket.StatusMessageTooBig {
		t.Errorf("closed with %d: %v", code, c.Err())
	}
}

func TestProxyAllowsOneConnection(t *testing.T) {
	t.Parallel()
	p := cdptest.NewProxy(t, cdptest.ProxyOptions{Target: cdptest.SharedChrome(t).WSURL, OneConnection: true})
	cdptest.Dial(t, p.URL())
	if _, resp, err := websocket.Dial(t.Context(), p.URL(), nil); err == nil || resp.StatusCode != http.StatusTooManyRequests {
		t.Errorf("second connection: %v, %v", resp, err)
	}
	p.Drop()
	cdptest.Dial(t, p.URL()) // the first is gone
}

func TestProxyGivesEachConnectionABrowser(t *testing.T) {
	t.Parallel()
	var browsers []*cdptest.Browser
	p := cdptest.NewProxy(t, cdptest.ProxyOptions{Launch: func(ctx context.Context) (*cdptest.Browser, error) {
		b, err := cdptest.StartChrome(ctx)
		browsers = append(browsers, b)
		return b, err
	}})
	for range 2 {
		c := cdptest.Dial(t, p.URL())
		c.Must(t, "", "Browser.getVersion", nil)
		c.Close()
	}
	if len(browsers) != 2 || browsers[0].PID == browsers[1].PID {
		t.Fatalf("browsers: %v", browsers)
	}
	for _, b := range browsers {
		<-b.Done()
	}
}

func TestProxyDelaysInOrder(t *testing.T) {
	t.Parallel()
	p := cdptest.NewProxy(t, cdptest.ProxyOptions{Target: cdptest.SharedChrome(t).WSURL})
	c := cdptest.Dial(t, p.URL())
	const delay = 100 * time.Millisecond
	p.Delay(delay)
	start := time.Now()
	calls := c.Send(
		cdptest.Command{Method: "Browser.getVersion"}, cdptest.Command{Method: "Target.getTargets"},
	)
	first, second := <-calls[0], <-calls[1]
	if first.Err != nil || second.Err != nil || first.Seq > second.Seq {
		t.Errorf("answers: %+v, %+v", first, second)
	}
	if took := time.Since(start); took < 2*delay {
		t.Errorf("round trip took %v, less than both delays", took)
	}
}

func TestProxyDismissesDialogs(t *testing.T) {
	t.Parallel()
	p := cdptest.NewProxy(t, cdptest.ProxyOptions{
		Target: cdptest.SharedChrome(t).WSURL, AutoDismiss: 10 * time.Millisecond,
	})
	tab := cdptest.NewContextAt(t, p.URL()).NewTab(t)
	mark := tab.Mark()
	if got := tab.Eval(t, "confirm('keep me')"); got != "false" {
		t.Errorf("confirm = %q", got)
	}
	tab.MustWait(t, mark, cdptest.Is("Page.javascriptDialogClosed", "result", "false"))
	var refused *cdptest.Error
	_, err := tab.Call(t.Context(), tab.SessionID, "Page.handleJavaScriptDialog", cdptest.M{"accept": true})
	if !errors.As(err, &refused) || refused.Code != -32602 {
		t.Errorf("late handle: %v", err)
	}
}
