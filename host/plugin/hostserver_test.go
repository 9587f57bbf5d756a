//go:build unix

package plugin_test

import (
	"fmt"
	"syscall"
	"testing"

	"cdphost/host/plugin"
	"cdphost/sdk/fault"
)

func TestHandlesOverTheWire(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		args map[string]any
		code fault.Code
		want map[string]any
	}{
		"ok":                        {map[string]any{"method": "Test.ok"}, "", map[string]any{"session": "S1", "tab": "t1", "epoch": 7.0}},
		"a big result":              {map[string]any{"method": "Test.big", "n": 5 << 20}, "", map[string]any{"bytes": float64(5 << 20)}},
		"a CDP error":               {map[string]any{"method": "Test.cdp"}, "", map[string]any{"cdp": -32000.0}},
		"not sent":                  {map[string]any{"method": "Test.unsent"}, fault.NotSent, nil},
		"sent, no reply":            {map[string]any{"method": "Test.hang", "do": "timeout", "millis": 50}, fault.SentNoReply, nil},
		"not granted":               {map[string]any{"method": "Test.ok", "task": "foreign"}, fault.NotGranted, nil},
		"before_send allows":        {map[string]any{"method": "Test.ok", "do": "allow", "n": 3}, "", map[string]any{"origin": "https://shop.test", "params": `{"n":3}`, "asked": 1.0}},
		"before_send refuses":       {map[string]any{"method": "Test.ok", "do": "refuse"}, "", map[string]any{"own": true}},
		"a call within before_send": {map[string]any{"method": "Test.ok", "do": "nested"}, fault.InvalidArgument, nil},
		"before_send is slow":       {map[string]any{"method": "Test.ok", "do": "slow", "millis": 1500}, fault.Denied, nil},
		"invalidated":               {map[string]any{"do": "valid"}, "", map[string]any{"before": true, "after": false, "code": "true"}},
		"more calls than allowed":   {map[string]any{"do": "flood", "n": 9}, "", map[string]any{"refused": 1.0}},
		"events":                    {map[string]any{"do": "subscribe"}, "", map[string]any{"seqs": []any{1.0, 2.0, 3.0}}},
		"events of a foreign task":  {map[string]any{"do": "subscribe", "task": "foreign"}, fault.NotGranted, nil},
		"an error without a code":   {map[string]any{"method": "Test.unknown"}, fault.InternalError, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			host := newFakeHost()
			m := newManager(t, func(o *plugin.Options) { o.Host, o.MaxCalls = host, 8 })
			apply(t, m, spec("p", "good"))
			out, err := callTool(t, m, "cdp", tc.args)
			if got := fault.CodeOf(err); got != tc.code {
				t.Fatalf("got %v, want %q", err, tc.code)
			}
			for k, want := range tc.want {
				if fmt.Sprint(out[k]) != fmt.Sprint(want) {
					t.Errorf("%s is %v, want %v", k, out[k], want)
				}
			}
			eventually(t, "all handles are released", func() bool { open, released := host.counts(); return open == released })
		})
	}
}

// TestHandleThatEndsAtOnce: a plugin learns that a handle is invalid also when that
// was so before its stream of calls had reached the host.
func TestHandleThatEndsAtOnce(t *testing.T) {
	t.Parallel()
	m := newManager(t, func(o *plugin.Options) { o.Host = newFakeHost() })
	for i := range 20 { // processes, each with its first handle
		name := fmt.Sprint("p", i)
		apply(t, m, spec(name, "good"))
		if _, err := callTool(t, m, "cdp", map[string]any{"do": "ended", "task": "ended"}); err != nil {
			t.Fatalf("process %d: %v", i, err)
		}
	}
}

func TestHandlesOfADeadPluginAreReleased(t *testing.T) {
	t.Parallel()
	host := newFakeHost()
	m := newManager(t, func(o *plugin.Options) { o.Host = host })
	apply(t, m, spec("p", "good"))
	if _, err := callTool(t, m, "cdp", map[string]any{"do": "leak", "n": 10}); err != nil {
		t.Fatal(err)
	}
	if _, released := host.counts(); released != 0 {
		t.Fatalf("%d released", released)
	}
	pid, _ := mustDecide(t, m, "")
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	eventually(t, "all handles are released", func() bool { open, released := host.counts(); return open == 11 && released == 11 })
}

func TestLeakedHandlesAreBounded(t *testing.T) {
	t.Parallel()
	host := newFakeHost()
	m := newManager(t, func(o *plugin.Options) { o.Host = host })
	apply(t, m, spec("p", "good"))
	_, err := callTool(t, m, "cdp", map[string]any{"do": "leak", "n": 2000})
	wantCode(t, err, fault.NotGranted)
	mustDecide(t, m, "")
}
