//go:build unix && extra

package plugins

import "testing"

// TestSwapAndKillUnderLoad runs under the tag extra: a swap that meets a killed
// plugin can take longer than the test waits.
func TestSwapAndKillUnderLoad(t *testing.T) {
	t.Parallel()
	testSwapAndKillUnderLoad(t)
}
