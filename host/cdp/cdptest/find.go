package cdptest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
)

// ErrNoBrowser is returned when no Chromium is found.
var ErrNoBrowser = errors.New("cdptest: no browser found: set CHROME_PATH or put chromium on PATH")

// browserNames are the executables looked for on PATH, in this order.
var browserNames = []string{
	"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome",
	"microsoft-edge", "brave-browser",
}

// FindChrome returns the browser that [StartChrome] launches: CHROME_PATH when it is set, else the
// first known name on PATH. The error wraps [ErrNoBrowser].
func FindChrome() (string, error) {
	if path := os.Getenv("CHROME_PATH"); path != "" {
		if _, err := exec.LookPath(path); err != nil {
			return "", fmt.Errorf("%w (CHROME_PATH: %w)", ErrNoBrowser, err)
		}
		return path, nil
	}
	for _, name := range browserNames {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", ErrNoBrowser
}
