package endpoint

import (
	"os"
	"path/filepath"
)

func profileFolders() []profileFolder {
	local := os.Getenv("LocalAppData")
	if local == "" {
		return nil
	}
	return []profileFolder{
		{"Chrome", filepath.Join(local, `Google\Chrome\User Data`)},
		{"Chrome Beta", filepath.Join(local, `Google\Chrome Beta\User Data`)},
		{"Chrome Dev", filepath.Join(local, `Google\Chrome Dev\User Data`)},
		{"Chrome Canary", filepath.Join(local, `Google\Chrome SxS\User Data`)},
		{"Chromium", filepath.Join(local, `Chromium\User Data`)},
		{"Edge", filepath.Join(local, `Microsoft\Edge\User Data`)},
		{"Brave", filepath.Join(local, `BraveSoftware\Brave-Browser\User Data`)},
	}
}
