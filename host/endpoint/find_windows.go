package endpoint

import (
	"os"
	"path/filepath"
)

// browserCandidates lists the installations for all users, then those of this
// one.
func browserCandidates() []string {
	var paths []string
	for _, name := range []string{
		`Google\Chrome\Application\chrome.exe`,
		`Chromium\Application\chrome.exe`,
		`Microsoft\Edge\Application\msedge.exe`,
		`BraveSoftware\Brave-Browser\Application\brave.exe`,
	} {
		for _, variable := range []string{"ProgramFiles", "ProgramFiles(x86)", "LocalAppData"} {
			if folder := os.Getenv(variable); folder != "" {
				paths = append(paths, filepath.Join(folder, name))
			}
		}
	}
	return paths
}
