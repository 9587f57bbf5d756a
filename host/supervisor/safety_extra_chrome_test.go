//go:build extra

package supervisor_test

import "testing"

// TestBrowserSurvivesEveryTime is TestBrowserSurvives until luck is no explanation.
func TestBrowserSurvivesEveryTime(t *testing.T) {
	t.Parallel()
	survive(t, 200)
}
