package tool

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"cdphost/host/capture"
	"cdphost/host/cdp"
	"cdphost/host/dialog"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

func TestCDP(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, args string
		router     fakeRouter
		want       sentCommand
	}{
		{"current page", `{"method":"Page.reload"}`, fakeRouter{}, sentCommand{topSession, "Page.reload", `{}`}},
		{"browser", `{"method":"Browser.getVersion","params":{}}`, fakeRouter{}, sentCommand{"", "Browser.getVersion", `{}`}},
		{"target", `{"method":"Page.reload","target_id":"F-TOP"}`, fakeRouter{}, sentCommand{topSession, "Page.reload", `{}`}},
		{"tab", `{"method":"Page.reload","target_id":"t1"}`, fakeRouter{}, sentCommand{topSession, "Page.reload", `{}`}},
		{"top frame", `{"method":"DOM.getDocument","frame_id":"F-TOP"}`, fakeRouter{}, sentCommand{topSession, "DOM.getDocument", `{}`}},
		{"oopif", `{"method":"Runtime.evaluate","params":{"expression":"1"},"frame_id":"F-AD"}`, fakeRouter{},
			sentCommand{adSession, "Runtime.evaluate", `{"expression":"1"}`}},
		{"same process, evaluated in place", `{"method":"Runtime.evaluate","params":{"expression":"1"},"frame_id":"F-SAME"}`, fakeRouter{evaluate: true},
			sentCommand{topSession, "Runtime.evaluate", `{"expression":"1","uniqueContextId":"ctx-1"}`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			k, task, _ := bench()
			k.Router = tc.router
			res, err := k.cdp(t.Context(), callOf(tc.args))
			if err != nil {
				t.Fatal(err)
			}
			if sent := task.commands(); len(sent) != 1 || sent[0] != tc.want {
				t.Errorf("sent %+v, want %+v", sent, tc.want)
			}
			if reply := res.Structured.(cdpReply); reply.SessionID != tc.want.Session || reply.Method != tc.want.Method {
				t.Errorf("reply = %+v", reply)
			}
		})
	}
}

func TestCDPReply(t *testing.T) {
	t.Parallel()
	k, task, _ := bench()
	task.on["Runtime.evaluate"] = func(context.Context, *fakeTask, json.RawMessage) (json.RawMessage, error) {
		return json.RawMessage(`{"result":{"type":"string","value":"Bearer abcdefghijklmnopqrstuvwxyz"}}`), nil
	}
	res, err := k.cdp(t.Context(), callOf(`{"method":"Runtime.evaluate","params":{"expression":"token"},"frame_id":"F-AD"}`))
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "cdp", res.Structured)
}

func TestCDPErrors(t *testing.T) {
	t.Parallel()
	refuse := func(err error) onCommand {
		return func(context.Context, *fakeTask, json.RawMessage) (json.RawMessage, error) { return nil, err }
	}
	for _, tc := range []struct {
		name, args string
		prepare    func(*Kit, *fakeTask)
		code       fault.Code
		says       string
		sent       int
	}{
		{"no method", `{}`, nil, fault.InvalidArgument, "Domain.method", 0},
		{"bad method", `{"method":"reload"}`, nil, fault.InvalidArgument, "Domain.method", 0},
		{"params not an object", `{"method":"Page.reload","params":[1]}`, nil, fault.InvalidArgument, "params must be", 0},
		{"two destinations", `{"method":"Page.reload","frame_id":"F-AD","target_id":"t1"}`, nil, fault.InvalidArgument, "not both", 0},
		{"timeout", `{"method":"Page.reload","timeout":301}`, nil, fault.InvalidArgument, "1 to 300", 0},
		{"denied by the toolset", `{"method":"Browser.close"}`, nil, fault.Denied, `rule "Browser.close"`, 0},
		{"unknown frame", `{"method":"Page.reload","frame_id":"F-NONE"}`, nil, fault.FrameNotFound, "F-NONE", 0},
		{"same-process frame", `{"method":"Page.reload","frame_id":"F-SAME"}`, nil, fault.SameProcessFrame, "contentDocument", 0},
		{"a frame and a context", `{"method":"Runtime.evaluate","params":{"expression":"1","contextId":3},"frame_id":"F-SAME"}`, func(k *Kit, _ *fakeTask) {
			k.Router = fakeRouter{evaluate: true}
		}, fault.InvalidArgument, "not both", 0},
		{"a router that names another place", `{"method":"Page.reload","frame_id":"F-SAME"}`, func(k *Kit, _ *fakeTask) {
			k.Router = fakeRouter{route: &capture.Route{SessionID: topSession}}
		}, fault.RouterUnavailable, "not the frame F-SAME", 0},
		{"a router that names no place", `{"method":"Page.reload","frame_id":"F-AD"}`, func(k *Kit, _ *fakeTask) {
			k.Router = fakeRouter{route: &capture.Route{}}
		}, fault.RouterUnavailable, "nothing was sent", 0},
		{"a router that names another context", `{"method":"Runtime.evaluate","frame_id":"F-SAME"}`, func(k *Kit, _ *fakeTask) {
			k.Router = fakeRouter{route: &capture.Route{SessionID: topSession, UniqueContextID: "ctx-top"}}
		}, fault.RouterUnavailable, "not the frame F-SAME", 0},
		{"router down, top frame", `{"method":"Page.reload","frame_id":"F-TOP"}`, func(k *Kit, _ *fakeTask) {
			k.Router = fakeRouter{err: errors.New("eof")}
		}, fault.RouterUnavailable, "nothing was sent", 0},
		{"router down", `{"method":"Page.reload","frame_id":"F-AD"}`, func(k *Kit, _ *fakeTask) {
			k.Router = fakeRouter{err: errors.New("eof")}
		}, fault.RouterUnavailable, "nothing was sent", 0},
		{"unknown target", `{"method":"Page.reload","target_id":"T-9"}`, nil, fault.TabNotFound, "F-TOP (t1)", 0},
		{"disconnected", `{"method":"Page.reload"}`, func(_ *Kit, f *fakeTask) {
			f.update(func(s *supervisor.Snapshot, _ *supervisor.Page) { s.Connected = false })
		}, fault.BrowserGone, "nothing was sent", 0},
		{"blocked", `{"method":"Runtime.evaluate"}`, func(_ *Kit, f *fakeTask) { f.open(confirm("d-1", "F-TOP")) },
			fault.BlockedByDialog, "Nothing was sent", 0},
		{"blocked meanwhile", `{"method":"Runtime.evaluate"}`, func(_ *Kit, f *fakeTask) {
			f.on["Runtime.evaluate"] = hangs(func(f *fakeTask) { f.open(confirm("d-1", "F-TOP")) })
		}, fault.BlockedByDialog, "was begun", 1},
		{"refused", `{"method":"Page.reload"}`, func(_ *Kit, f *fakeTask) {
			f.on["Page.reload"] = refuse(&cdp.CallError{Sent: true, Err: &cdp.Error{Code: -32601, Message: "'Page.reload' wasn't found"}})
		}, fault.CDPError, "wasn't found", 1},
		{"not sent", `{"method":"Page.reload"}`, func(_ *Kit, f *fakeTask) {
			f.on["Page.reload"] = refuse(&cdp.CallError{Err: cdp.ErrClosed})
		}, fault.NotSent, "safe to try again", 1},
		{"no reply", `{"method":"Page.reload"}`, func(_ *Kit, f *fakeTask) {
			f.on["Page.reload"] = refuse(&cdp.CallError{Sent: true, Err: cdp.ErrSessionGone})
		}, fault.SentNoReply, "browser_snapshot", 1},
		{"too big", `{"method":"Page.reload"}`, func(_ *Kit, f *fakeTask) {
			f.on["Page.reload"] = refuse(&cdp.CallError{Sent: true, Err: cdp.ErrReplyTooBig})
		}, fault.ReplyTooBig, "read_limit_bytes", 1},
		{"slow", `{"method":"Page.reload","timeout":1}`, func(_ *Kit, f *fakeTask) {
			f.on["Page.reload"] = hangs(func(*fakeTask) {})
		}, fault.Timeout, "not answered in 1s", 1},
		{"guard's denial", `{"method":"Page.reload"}`, func(_ *Kit, f *fakeTask) {
			f.on["Page.reload"] = refuse(&cdp.CallError{Err: fault.New(fault.Denied, "The guard says no.")})
		}, fault.Denied, "guard says no", 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			k, task, _ := bench()
			if tc.prepare != nil {
				tc.prepare(k, task)
			}
			call := callOf(tc.args)
			call.Toolset.Methods.Deny = []string{"Browser.close"}
			_, err := k.cdp(t.Context(), call)
			if fault.CodeOf(err) != tc.code || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("err = %v, want %s saying %q", err, tc.code, tc.says)
			}
			if sent := task.commands(); len(sent) != tc.sent {
				t.Errorf("sent %v, want %d commands", sent, tc.sent)
			}
		})
	}
}

// A dialog blocks its own process only, and not every method.
func TestCDPPastADialog(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, args string
		dialog     dialog.Dialog
	}{
		{"another process", `{"method":"Runtime.evaluate","params":{"expression":"1"},"frame_id":"F-AD"}`, confirm("d-1", "F-TOP")},
		{"the top page of an OOPIF's dialog", `{"method":"Runtime.evaluate","params":{"expression":"1"}}`, confirm("d-1", "F-AD")},
		{"a method of the browser process", `{"method":"Page.getNavigationHistory"}`, confirm("d-1", "F-TOP")},
		{"a bridge that leaves the page readable", `{"method":"Runtime.evaluate","params":{"expression":"1"}}`, func() dialog.Dialog {
			d := confirm("d-1", "F-TOP")
			d.Bridge = "bridge-debugger"
			return d
		}()},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			k, task, _ := bench()
			task.open(tc.dialog)
			res, err := k.cdp(t.Context(), callOf(tc.args))
			if err != nil {
				t.Fatal(err)
			}
			if reply := res.Structured.(cdpReply); len(reply.Pending) != 1 {
				t.Errorf("the reply does not show the dialog: %+v", reply)
			}
		})
	}
}
