package tool

import (
	"strings"
	"testing"

	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// TestGone: why a page can't be used is told with what to do about it.
func TestGone(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		snap supervisor.Snapshot
		code fault.Code
		says string
	}{
		{"usable", supervisor.Snapshot{Connected: true, Pages: []*supervisor.Page{{TabID: "t1"}}}, "", ""},
		{"closed", supervisor.Snapshot{Connected: true}, fault.TabNotFound, "was closed meanwhile"},
		{"browser gone", supervisor.Snapshot{}, fault.BrowserGone, "Call browser_navigate"},
		{"crashed", supervisor.Snapshot{Pages: []*supervisor.Page{{TabID: "t1", Crashed: true}}}, fault.NavigationFailed, "t1 has crashed. Call browser_navigate"},
		{"discarded", supervisor.Snapshot{Pages: []*supervisor.Page{{TabID: "t1", Discarded: true}}}, fault.NavigationFailed,
			"discarded the page t1 to save memory. Call browser_navigate"},
	} {
		err := gone(&tc.snap, "t1")
		if tc.code == "" && err == nil {
			continue
		}
		if fault.CodeOf(err) != tc.code || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: %v, want %s: %s", tc.name, err, tc.code, tc.says)
		}
	}
}
