//go:build unix

package plugin_test

import (
	"testing"
	"time"

	"cdphost/host/cdp"
	"cdphost/host/plugin"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

func TestGuards(t *testing.T) {
	t.Parallel()
	m := newManager(t, func(o *plugin.Options) { o.Host = newFakeHost() })
	s := spec("g", "good")
	s.Timeout = 300 * time.Millisecond
	apply(t, m, s)
	for _, method := range []string{"Runtime.evaluate", "Page.reload", "Inputx.y", ""} {
		if g := m.Guards(method); g != nil {
			t.Errorf("guards of %q: %v", method, g)
		}
	}
	for _, method := range []string{"Input.dispatchMouseEvent", "Page.navigate"} {
		if g := m.Guards(method); len(g) != 1 || g[0].Name() != "g" || g[0].Compare()[0] != "origin" {
			t.Errorf("guards of %q: %v", method, g)
		}
	}
	guard := m.Guards("Page.navigate")[0]
	for name, tc := range map[string]struct {
		origin, params string
		code           fault.Code
	}{
		"allow":                    {"https://shop.test", "", ""},
		"deny":                     {"https://evil.test", "", fault.Denied},
		"rewrite":                  {"https://rewrite.test", `{"x":1}`, ""},
		"a rewrite to no object":   {"https://array.test", "", fault.Denied},
		"hangs":                    {"https://hang.test", "", fault.Denied},
		"calls CDP from a verdict": {"https://calls.test", "", fault.Denied},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			params, err := guard.Validate(t.Context(), plugin.GuardRequest{
				Task: supervisor.Key{TaskID: "t"}, Command: cdp.Command{Method: "Page.navigate"}, Facts: plugin.Facts{Origin: tc.origin},
			})
			if string(params) != tc.params {
				t.Errorf("params %s", params)
			}
			if got := fault.CodeOf(err); got != tc.code {
				t.Errorf("got %v, want %q", err, tc.code)
			}
		})
	}
}

func TestLenientGuard(t *testing.T) {
	t.Parallel()
	m := newManager(t)
	s := spec("g", "good")
	s.Timeout, s.AllowOnFailure = 100*time.Millisecond, true
	apply(t, m, s)
	guard := m.Guards("Page.navigate")[0]
	if _, err := guard.Validate(t.Context(), plugin.GuardRequest{Facts: plugin.Facts{Origin: "https://hang.test"}}); err != nil {
		t.Errorf("a lenient guard that hangs: %v", err)
	}
	_, err := guard.Validate(t.Context(), plugin.GuardRequest{Facts: plugin.Facts{Origin: "https://evil.test"}})
	wantCode(t, err, fault.Denied)
}

func TestGuardsAreOrdered(t *testing.T) {
	t.Parallel()
	m := newManager(t)
	a, b := spec("a", "guard"), spec("b", "guard")
	a.Priority, b.Priority = 60, 50
	apply(t, m, a, b)
	g := m.Guards("Input.insertText")
	if len(g) != 2 || g[0].Name() != "b" || g[1].Name() != "a" {
		t.Errorf("got %v", g)
	}
}
