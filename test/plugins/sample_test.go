package plugins

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSamples checks each example with the configuration that it shows.
func TestSamples(t *testing.T) {
	t.Parallel()
	for _, name := range examples {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			raw, err := os.ReadFile("../../examples/" + name + "/config.yaml")
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(bin, name+".yaml") // where its program is
			if err := os.WriteFile(file, raw, 0o600); err != nil {
				t.Fatal(err)
			}
			for _, args := range [][]string{{"config", "check", file}, {"plugin", "check", name, "--config", file}} {
				cmd := exec.CommandContext(t.Context(), program("cdphost"), args...)
				cmd.Dir = t.TempDir()
				out, err := cmd.CombinedOutput()
				if err != nil || !strings.Contains(string(out), "is valid") && !strings.Contains(string(out), name+" 1.0.0 conforms") {
					t.Errorf("cdphost %v: %v\n%s", args, err, out)
				}
			}
		})
	}
}
