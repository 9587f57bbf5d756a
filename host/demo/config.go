package demo

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// The dialog policies that the demo swaps.
const (
	firstPolicy  = "must_respond"
	secondPolicy = "auto_dismiss"
)

// configText is the demo's whole configuration: what it leaves out has its
// default.
const configText = `# The configuration of "cdphost demo". It changes dialog_policy while it runs.
browser:
  headless: %t
  dialog_policy: %s
server:
  listen: 127.0.0.1:0
log:
  level: error
`

// WriteConfig writes the configuration that the demo starts with to a file in
// dir and returns its path.
func WriteConfig(dir string, headed bool) (string, error) {
	path := filepath.Join(dir, "config.yaml")
	return path, replace(path, fmt.Sprintf(configText, !headed, firstPolicy))
}

// swapPolicy changes dialog_policy in the file and leaves all else as it is.
func swapPolicy(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	const key = "dialog_policy: "
	before, after, found := strings.Cut(string(data), key+firstPolicy)
	if !found {
		return fmt.Errorf("%s does not say %s%s", path, key, firstPolicy)
	}
	return replace(path, before+key+secondPolicy+after)
}

// replace writes the file in one step, so that nobody reads half of it.
func replace(path, text string) error {
	next := path + ".next"
	if err := os.WriteFile(next, []byte(text), 0o600); err != nil {
		return err
	}
	return os.Rename(next, path)
}
