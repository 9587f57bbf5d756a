//go:build unix

package plugin_test

import (
	"slices"
	"testing"

	"cdphost/sdk/conformance/suite"
)

func TestTheSuiteRunsAgainstAProcess(t *testing.T) {
	t.Parallel()
	m := newManager(t)
	for name, tc := range map[string]struct {
		mode   string
		failed []string
	}{
		"a good one":           {"events", nil},
		"a text with a hold":   {"second", []string{"dialog-policy: verdicts are valid"}},
		"one that never comes": {"exit", []string{"it starts"}},
		"one that is unwell":   {"unwell", []string{"it is well"}},
		"a call that goes on":  {"stubborn", []string{"tool-provider: a call ends when it is cancelled"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := suite.Run(t.Context(), m.Carrier(spec("p", tc.mode)), suite.Options{}, nil)
			var failed []string
			for _, result := range r.Results {
				switch result.Status {
				case suite.Failed:
					failed = append(failed, result.Check)
					t.Logf("%+v", result)
				case suite.Skipped:
					if tc.failed == nil {
						t.Errorf("skipped: %+v", result)
					}
				}
			}
			if tc.failed == nil && failed != nil || len(tc.failed) > 0 && !slices.Contains(failed, tc.failed[0]) {
				t.Errorf("failed were %q, want %q", failed, tc.failed)
			}
		})
	}
}
