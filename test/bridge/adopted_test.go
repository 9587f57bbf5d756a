package bridge

import (
	"context"
	"testing"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/endpoint"
	"cdphost/host/supervisor"
)

// TestAdoptedPageOutlivesItsTask ends a task while its bridge holds a dialog on a
// user's page: the user gets the browser's own dialog in its place.
func TestAdoptedPageOutlivesItsTask(t *testing.T) {
	t.Parallel()
	site := cdptest.Site(t, cdptest.Hosts{"*": cdptest.Paths{"/": asking}})
	for _, k := range []kind{debugger, xhr} {
		t.Run(string(k), func(t *testing.T) {
			t.Parallel()
			browser := cdptest.Chrome(t)
			user := cdptest.Dial(t, browser.WSURL)
			target := cdptest.Field(user.Must(t, "", "Target.createTarget", cdptest.M{"url": "about:blank"}), "targetId")
			session := cdptest.Field(user.Must(t, "", "Target.attachToTarget", cdptest.M{"targetId": target, "flatten": true}), "sessionId")
			user.Must(t, session, "Page.enable", nil)

			_, b := k.start(t, `{}`)
			r := supervisor.NewRegistry(supervisor.Options{Logger: logger()})
			t.Cleanup(func() { r.StopAll(context.Background()) })
			u, err := endpoint.ParseURL(browser.WSURL)
			if err != nil {
				t.Fatal(err)
			}
			key := supervisor.Key{Caller: "test", TaskID: "joined"}
			s, err := r.GetOrStart(bound(t), key, endpoint.Spec{Kind: endpoint.CDP, URL: u, UserOwned: true}, supervisor.Settings{Bridge: b})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Adopt(bound(t), target); err != nil {
				t.Fatal(err)
			}
			// Requests of a document that was there before its bridge may still go past it.
			user.Must(t, session, "Page.navigate", cdptest.M{"url": site.URL("a.test", "/")})
			out := user.Send(cdptest.Command{SessionID: session, Method: "Runtime.evaluate", Params: cdptest.M{"expression": `String(confirm("asked"))`}})
			if d := held(t, s, "asked"); d.Bridge != string(k) {
				t.Errorf("dialog = %+v", d)
			}
			r.Forget(bound(t), key)
			if _, err := user.Wait(bound(t), 0, func(e cdptest.Event) bool { return e.Method == "Page.javascriptDialogOpening" }); err != nil {
				select {
				case a := <-out[0]:
					t.Fatalf("%v; the page went on with %s, %v", err, a.Result, a.Err)
				default:
					t.Fatalf("%v; the page is held", err)
				}
			}
			user.Must(t, session, "Page.handleJavaScriptDialog", cdptest.M{"accept": true})
			if a := <-out[0]; cdptest.Field(a.Result, "result.value") != "true" {
				t.Errorf("the page saw %s, %v", a.Result, a.Err)
			}
		})
	}
}
