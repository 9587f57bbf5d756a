//go:build unix && !darwin

package endpoint

import (
	"os"
	"path/filepath"
)

func profileFolders() []profileFolder {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil
	}
	config, err := os.UserConfigDir()
	if err != nil {
		config = filepath.Join(home, ".config")
	}
	apps := filepath.Join(home, ".var", "app")
	return []profileFolder{
		{"Chrome", filepath.Join(config, "google-chrome")},
		{"Chrome", filepath.Join(apps, "com.google.Chrome", "config", "google-chrome")},
		{"Chrome Beta", filepath.Join(config, "google-chrome-beta")},
		{"Chrome Dev", filepath.Join(config, "google-chrome-unstable")},
		{"Chromium", filepath.Join(config, "chromium")},
		{"Chromium", filepath.Join(home, "snap", "chromium", "common", "chromium")},
		{"Chromium", filepath.Join(apps, "org.chromium.Chromium", "config", "chromium")},
		{"Edge", filepath.Join(config, "microsoft-edge")},
		{"Brave", filepath.Join(config, "BraveSoftware", "Brave-Browser")},
		{"Brave", filepath.Join(apps, "com.brave.Browser", "config", "BraveSoftware", "Brave-Browser")},
	}
}
