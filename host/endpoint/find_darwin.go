package endpoint

import (
	"os"
	"path/filepath"
)

// browserCandidates lists the application bundles of all users, then those of
// this one.
func browserCandidates() []string {
	folders := []string{"/Applications"}
	if home, err := os.UserHomeDir(); err == nil {
		folders = append(folders, filepath.Join(home, "Applications"))
	}
	var paths []string
	for _, name := range []string{"Google Chrome", "Chromium", "Microsoft Edge", "Brave Browser", "Google Chrome Canary"} {
		for _, folder := range folders {
			paths = append(paths, filepath.Join(folder, name+".app", "Contents", "MacOS", name))
		}
	}
	return paths
}
