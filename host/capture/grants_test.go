package capture_test

import (
	"testing"

	"cdphost/host/capture"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

func TestGrants(t *testing.T) {
	t.Parallel()
	h := onMock(t)
	holder := capture.Holder{
		Name: "helper", Toolsets: []string{"browser"}, Methods: []string{"Runtime.evaluate", "Input.*"}, Events: []string{"Page.*", "Host.dialogOpened"},
	}
	handle := h.capture(t, holder)
	for method, granted := range map[string]bool{
		"Runtime.evaluate": true, "Input.insertText": true, "Runtime.evaluateX": false, "Runtime.callFunctionOn": false,
		"InputX.insertText": false, "runtime.evaluate": false, "Input": false, "Page.navigate": false,
	} {
		_, err := handle.Call(bound(t), method, M{"expression": "1"}, capture.OnSession(h.page.SessionID))
		if got := fault.CodeOf(err) != fault.NotGranted; got != granted {
			t.Errorf("%s: %v, want it granted: %v", method, err, granted)
		}
	}
	for _, c := range []struct {
		toolsets, methods []string
		code              fault.Code
	}{
		{[]string{"other"}, nil, fault.NotGranted}, {nil, nil, fault.NotGranted}, {[]string{"*"}, nil, ""},
	} {
		_, err := h.captures.Capture(bound(t), h.key, capture.Holder{Name: "helper", Toolsets: c.toolsets})
		if fault.CodeOf(err) != c.code && (err != nil || c.code != "") {
			t.Errorf("toolsets %v: %v, want %q", c.toolsets, err, c.code)
		}
	}
	for _, c := range []struct {
		events  []string
		granted bool
	}{
		{[]string{"Page.*"}, true},
		{[]string{"Page.frameNavigated", "Host.dialogOpened"}, true},
		{[]string{"Host.*"}, false},
		{[]string{"Host.dialogOpened", "Network.requestWillBeSent"}, false},
		{[]string{"*"}, false},
		{[]string{"P*"}, false},
		{[]string{"Page*"}, false},
		{nil, true},
	} {
		sub, err := h.captures.Subscribe(bound(t), h.key, holder, supervisor.Filter{Methods: c.events}, 4)
		if granted := err == nil; granted != c.granted {
			t.Errorf("events %v: %v, want them granted: %v", c.events, err, c.granted)
		}
		if err == nil {
			sub.Close()
		} else {
			wantCode(t, err, fault.NotGranted)
		}
	}
	_, err := h.captures.Subscribe(bound(t), h.key, capture.Holder{Name: "helper", Events: []string{"*"}}, supervisor.Filter{}, 4)
	wantCode(t, err, fault.NotGranted)
}
