package endpoint

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cdphost/sdk/fault"
)

func TestFindBrowser(t *testing.T) {
	bin := t.TempDir()
	onPath := filepath.Join(bin, "chromium")
	other := filepath.Join(bin, "own-chrome")
	plain := filepath.Join(bin, "readme")
	for path, mode := range map[string]os.FileMode{onPath: 0o755, other: 0o755, plain: 0o644} {
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"), mode); err != nil {
			t.Fatal(err)
		}
	}
	for _, tc := range []struct {
		name, configured, env, path, want, says string
	}{
		{"configured path", other, "", bin, other, ""},
		{"configured name", "own-chrome", "", bin, other, ""},
		{"configured wins over CHROME_PATH", onPath, other, bin, onPath, ""},
		{"CHROME_PATH", "", other, bin, other, ""},
		{"found on PATH", "", "", bin, onPath, ""},
		{"configured is missing", filepath.Join(bin, "nope"), other, bin, "", "browser.executable"},
		{"configured is not executable", plain, other, bin, "", "not an executable file"},
		{"configured is a folder", bin, other, bin, "", "not an executable file"},
		{"CHROME_PATH is missing", "", filepath.Join(bin, "nope"), bin, "", "CHROME_PATH"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Setenv(chromePathEnv, tc.env)
			t.Setenv("PATH", tc.path)
			got, err := FindBrowser(tc.configured)
			if got != tc.want || (err == nil) != (tc.says == "") {
				t.Fatalf("got %q, %v", got, err)
			}
			if err != nil && (!errors.Is(err, fault.BrowserMissing) || !strings.Contains(err.Error(), tc.says) || strings.Contains(err.Error(), "\n")) {
				t.Errorf("got %v", err)
			}
		})
	}
}
