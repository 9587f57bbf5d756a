//go:build extra

package supervisor_test

import (
	"os"
	"strconv"
	"testing"
)

// defaultRounds keeps the test within some minutes; CDPHOST_ROUNDS=200 runs it
// until luck is no explanation.
const defaultRounds = 50

// TestBrowserSurvivesEveryTime is TestBrowserSurvives over and over.
func TestBrowserSurvivesEveryTime(t *testing.T) {
	t.Parallel()
	rounds := defaultRounds
	if text := os.Getenv("CDPHOST_ROUNDS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatalf("CDPHOST_ROUNDS: %v", err)
		}
		rounds = n
	}
	survive(t, rounds)
}
