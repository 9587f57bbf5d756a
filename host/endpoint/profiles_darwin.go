package endpoint

import (
	"os"
	"path/filepath"
)

func profileFolders() []profileFolder {
	support, err := os.UserConfigDir() // ~/Library/Application Support
	if err != nil {
		return nil
	}
	return []profileFolder{
		{"Chrome", filepath.Join(support, "Google", "Chrome")},
		{"Chrome Beta", filepath.Join(support, "Google", "Chrome Beta")},
		{"Chrome Dev", filepath.Join(support, "Google", "Chrome Dev")},
		{"Chrome Canary", filepath.Join(support, "Google", "Chrome Canary")},
		{"Chromium", filepath.Join(support, "Chromium")},
		{"Edge", filepath.Join(support, "Microsoft Edge")},
		{"Brave", filepath.Join(support, "BraveSoftware", "Brave-Browser")},
	}
}
