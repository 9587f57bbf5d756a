package tool

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"cdphost/host/cdp"
	"cdphost/host/dialog"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

type onCommand = func(context.Context, *fakeTask, json.RawMessage) (json.RawMessage, error)

// lands answers Page.navigate and publishes what the events then say.
func lands(changes ...func(*supervisor.Snapshot, *supervisor.Page)) onCommand {
	return func(_ context.Context, f *fakeTask, _ json.RawMessage) (json.RawMessage, error) {
		for _, change := range changes {
			f.update(change)
		}
		return json.RawMessage(`{"frameId":"F-TOP","loaderId":"L9"}`), nil
	}
}

func committed(_ *supervisor.Snapshot, p *supervisor.Page) {
	p.URL, p.Title, p.LoaderID, p.Loading = "http://shop.test/new", "New", "L9", true
}

func loaded(_ *supervisor.Snapshot, p *supervisor.Page) { p.LoadedLoader, p.Loading = "L9", false }

func fails(errorText string) onCommand {
	return func(context.Context, *fakeTask, json.RawMessage) (json.RawMessage, error) {
		return json.Marshal(map[string]any{"frameId": "F-TOP", "errorText": errorText})
	}
}

// hangs answers nothing; before it does, it lets the test change the state.
func hangs(before func(*fakeTask)) onCommand {
	return func(ctx context.Context, f *fakeTask, _ json.RawMessage) (json.RawMessage, error) {
		before(f)
		<-ctx.Done()
		return nil, &cdp.CallError{Method: "Page.navigate", Sent: true, Err: ctx.Err()}
	}
}

func TestNavigate(t *testing.T) {
	t.Parallel()
	arrival := func(context.Context, *fakeTask, json.RawMessage) (json.RawMessage, error) {
		return json.RawMessage(`{"result":{"type":"object","value":["New title",200]}}`), nil
	}
	for _, tc := range []struct {
		name, args string
		navigate   onCommand
	}{
		{"navigate_load", `{"url":"http://shop.test/new"}`, lands(committed, loaded)},
		{"navigate_commit", `{"url":"http://shop.test/new","wait":"commit"}`, lands(committed)},
		{"navigate_none", `{"url":"http://shop.test/new","wait":"none"}`, lands()},
		{"navigate_same_document", `{"url":"http://shop.test/#a"}`, func(context.Context, *fakeTask, json.RawMessage) (json.RawMessage, error) {
			return json.RawMessage(`{"frameId":"F-TOP"}`), nil
		}},
		{"navigate_dialog", `{"url":"http://shop.test/new"}`, lands(committed, func(s *supervisor.Snapshot, p *supervisor.Page) {
			s.Pending, p.BlockedBy = []dialog.Dialog{confirm("d-1", "F-TOP")}, "d-1"
		})},
		{"navigate_beforeunload", `{"url":"http://shop.test/new"}`, hangs(func(f *fakeTask) {
			d := confirm("d-1", "F-TOP")
			d.Type, d.Message = dialog.BeforeUnload, ""
			f.open(d)
		})},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			k, task, _ := bench()
			task.on["Page.navigate"], task.on["Runtime.evaluate"] = tc.navigate, arrival
			res, err := k.navigate(t.Context(), callOf(tc.args))
			if err != nil {
				t.Fatal(err)
			}
			golden(t, tc.name, res.Structured)
		})
	}
}

func TestNavigateErrors(t *testing.T) {
	t.Parallel()
	dismissed := func(s *supervisor.Snapshot, _ *supervisor.Page) {
		d := confirm("d-1", "F-TOP")
		d.Type = dialog.BeforeUnload
		s.Recent = []dialog.Closed{{Dialog: d, ClosedBy: dialog.AutoPolicy, Action: dialog.Dismiss, ClosedAt: noon.AddDate(100, 0, 0)}}
	}
	for _, tc := range []struct {
		name, args string
		navigate   onCommand
		code       fault.Code
		says       string
	}{
		{"unreachable", `{"url":"http://gone.test/"}`, fails("net::ERR_NAME_NOT_RESOLVED"), fault.NavigationFailed, "net::ERR_NAME_NOT_RESOLVED"},
		{"aborted", `{"url":"http://shop.test/x"}`, fails("net::ERR_ABORTED"), fault.NavigationFailed, "browser_snapshot"},
		{"stays after beforeunload", `{"url":"http://shop.test/x"}`, func(ctx context.Context, f *fakeTask, p json.RawMessage) (json.RawMessage, error) {
			f.update(dismissed)
			return fails("net::ERR_ABORTED")(ctx, f, p)
		}, fault.NavigationCancelled, "by auto_policy"},
		{"crash", `{"url":"http://shop.test/x"}`, hangs(func(f *fakeTask) {
			f.update(func(_ *supervisor.Snapshot, p *supervisor.Page) { p.Crashed = true })
		}), fault.NavigationFailed, "crashed"},
		{"closed", `{"url":"http://shop.test/x"}`, hangs(func(f *fakeTask) {
			f.update(func(s *supervisor.Snapshot, _ *supervisor.Page) { s.Pages = nil })
		}), fault.TabNotFound, "closed meanwhile"},
		{"browser gone", `{"url":"http://shop.test/x"}`, hangs(func(f *fakeTask) {
			f.update(func(s *supervisor.Snapshot, _ *supervisor.Page) { s.Pages, s.Connected = nil, false })
		}), fault.BrowserGone, "browser_navigate"},
		{"refused by the browser", `{"url":"http://shop.test/x"}`, func(context.Context, *fakeTask, json.RawMessage) (json.RawMessage, error) {
			return nil, &cdp.CallError{Method: "Page.navigate", Sent: true, Err: &cdp.Error{Code: -32000, Message: "Cannot navigate to invalid URL"}}
		}, fault.CDPError, "invalid URL"},
		{"slow server", `{"url":"http://shop.test/x","timeout":1}`, hangs(func(*fakeTask) {}), fault.Timeout, "has not answered in 1s"},
		{"slow page", `{"url":"http://shop.test/x","timeout":1}`, lands(committed), fault.Timeout, "has not finished loading"},
		{"file", `{"url":"file:///etc/passwd"}`, nil, fault.SchemeBlocked, "file: URLs"},
		{"chrome", `{"url":"chrome://settings"}`, nil, fault.SchemeBlocked, "chrome: URLs"},
		{"no url", `{}`, nil, fault.InvalidArgument, "url is missing"},
		{"no sense", `{"url":"hello world"}`, nil, fault.InvalidArgument, "not a URL"},
		{"bad wait", `{"url":"http://a.test","wait":"idle"}`, nil, fault.InvalidArgument, "none, commit or load"},
		{"bad timeout", `{"url":"http://a.test","timeout":0}`, nil, fault.InvalidArgument, "1 to 300"},
		{"unknown tab", `{"url":"http://a.test","tab_id":"t9"}`, nil, fault.TabNotFound, "t1"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			k, task, _ := bench()
			task.on["Page.navigate"] = tc.navigate
			_, err := k.navigate(t.Context(), callOf(tc.args))
			if fault.CodeOf(err) != tc.code || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("err = %v, want %s saying %q", err, tc.code, tc.says)
			}
		})
	}
}

func TestNavigateRefusedWhileBlocked(t *testing.T) {
	t.Parallel()
	k, task, _ := bench()
	task.open(confirm("d-1", "F-TOP"))
	_, err := k.navigate(t.Context(), callOf(`{"url":"http://shop.test/new"}`))
	if fault.CodeOf(err) != fault.BlockedByDialog || !strings.Contains(err.Error(), "Nothing was sent") {
		t.Errorf("err = %v", err)
	}
	if sent := task.commands(); len(sent) != 0 {
		t.Errorf("sent %v", sent)
	}
}

// A page whose dialog nobody can answer is freed by leaving it.
func TestNavigateFreesAPageOfItsOrphan(t *testing.T) {
	t.Parallel()
	k, task, _ := bench()
	orphan := confirm("d-1", "F-TOP")
	orphan.State = dialog.Orphaned
	task.open(orphan)
	task.on["Page.navigate"] = lands(committed, func(s *supervisor.Snapshot, p *supervisor.Page) {
		s.Pending, p.BlockedBy = nil, ""
	}, loaded)
	res, err := k.navigate(t.Context(), callOf(`{"url":"http://shop.test/new"}`))
	if err != nil {
		t.Fatal(err)
	}
	if reply := res.Structured.(*navigateReply); reply.Blocked || reply.URL != "http://shop.test/new" {
		t.Errorf("reply = %+v", reply)
	}
}

// What the page asks when it is left that way is told at once.
func TestNavigateFreeingAnOrphanIsAskedWhetherToLeave(t *testing.T) {
	t.Parallel()
	k, task, _ := bench()
	orphan := confirm("d-1", "F-TOP")
	orphan.State = dialog.Orphaned
	task.open(orphan)
	task.on["Page.navigate"] = hangs(func(f *fakeTask) {
		f.update(func(s *supervisor.Snapshot, p *supervisor.Page) {
			s.Pending, p.BlockedBy = []dialog.Dialog{confirm("d-2", "F-TOP")}, "d-2"
		})
	})
	res, err := k.navigate(t.Context(), callOf(`{"url":"http://shop.test/new"}`))
	if err != nil {
		t.Fatal(err)
	}
	if reply := res.Structured.(*navigateReply); !reply.Blocked || len(reply.Pending) != 1 || reply.Pending[0].ID != "d-2" {
		t.Errorf("reply = %+v", reply)
	}
}

func TestNavigateMakesTaskAndPage(t *testing.T) {
	t.Parallel()
	k, _, dir := bench()
	fresh := newFakeTask()
	fresh.snap.Pages, fresh.snap.Current = nil, ""
	dir.tasks["mine"] = fresh
	res, err := k.navigate(t.Context(), callOf(`{"url":"example.com","task_id":"mine","wait":"none"}`))
	if err != nil {
		t.Fatal(err)
	}
	if reply := res.Structured.(*navigateReply); reply.TabID != "t2" {
		t.Errorf("reply = %+v", reply)
	}
	want := sentCommand{"S-2", "Page.navigate", `{"url":"https://example.com"}`}
	if sent := fresh.commands(); len(sent) != 1 || sent[0] != want {
		t.Errorf("sent %v, want %v", sent, want)
	}
}

func TestAddress(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"example.com":          "https://example.com",
		"example.com:8080/a?b": "https://example.com:8080/a?b",
		"localhost:3000":       "http://localhost:3000",
		"127.0.0.1:1/x":        "http://127.0.0.1:1/x",
		"[::1]:80":             "http://[::1]:80",
		" http://a.test/ ":     "http://a.test/",
		"about:blank":          "about:blank",
		"data:text/html,hi":    "data:text/html,hi",
	} {
		if got, err := address(given); err != nil || got != want {
			t.Errorf("address(%q) = %q, %v, want %q", given, got, err, want)
		}
	}
}
