package bridge

import (
	"testing"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/supervisor"
)

// TestInterceptionRefused: on a browser that does not intercept requests, the
// scripts that would ask go again, and the snapshot says why.
func TestInterceptionRefused(t *testing.T) {
	t.Parallel()
	mock := cdptest.New(t, cdptest.Options{})
	mock.FailNth("Fetch.enable", 1, &cdptest.Error{Code: -32601, Message: "'Fetch.enable' wasn't found"})
	_, b := xhr.start(t, `{}`)
	r := supervisor.NewRegistry(supervisor.Options{Logger: logger()})
	t.Cleanup(func() { r.StopAll(t.Context()) })
	s := taskOn(t, r, mock.URL(), supervisor.Settings{Bridge: b})
	p, err := s.OpenPage(bound(t))
	if err != nil {
		t.Fatal(err)
	}
	mock.MustReceive(t, "Page.addScriptToEvaluateOnNewDocument", 1)
	until(t, s, "what is degraded", func(snap *supervisor.Snapshot) bool {
		page, ok := snap.Page(p.TabID)
		return ok && len(page.Degraded) > 0
	})
	mock.MustReceive(t, "Page.removeScriptToEvaluateOnNewDocument", 1)
}
