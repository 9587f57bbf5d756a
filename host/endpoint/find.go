package endpoint

import (
	"os"
	"os/exec"
	"path/filepath"

	"cdphost/sdk/fault"
)

// chromePathEnv names the browser to launch where the configuration does not.
const chromePathEnv = "CHROME_PATH"

// FindBrowser returns the path of the browser to launch: configured when it is
// not empty, else what CHROME_PATH names, else the first of Chrome, Chromium,
// Edge and Brave that this operating system has. A configured name or CHROME_PATH
// that does not lead to an executable is an error, never replaced by another
// browser. Errors are fault.BrowserMissing.
func FindBrowser(configured string) (string, error) {
	if configured != "" {
		return named("browser.executable", configured)
	}
	if path := os.Getenv(chromePathEnv); path != "" {
		return named(chromePathEnv, path)
	}
	for _, candidate := range browserCandidates() {
		if path, err := executable(candidate); err == nil {
			return path, nil
		}
	}
	return "", fault.New(fault.BrowserMissing,
		"No Chrome, Chromium, Edge or Brave was found: install one, or set browser.executable or CHROME_PATH to its path.")
}

func named(source, name string) (string, error) {
	path, err := executable(name)
	if err != nil {
		return "", fault.Wrap(err, fault.BrowserMissing,
			"%s names %q, which is not an executable file: correct it, or leave it empty to use the browser that is found.", source, name)
	}
	return path, nil
}

// executable looks name up as a path, or on PATH when it has no separator.
func executable(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return "", err
	}
	return filepath.Abs(path)
}
