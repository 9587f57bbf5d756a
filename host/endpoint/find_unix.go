//go:build unix && !darwin

package endpoint

// browserCandidates lists names on PATH and usual places, most common first.
func browserCandidates() []string {
	return []string{
		"google-chrome-stable", "google-chrome", "/opt/google/chrome/chrome",
		"chromium", "chromium-browser", "/usr/lib/chromium/chromium", "/usr/lib64/chromium-browser/chromium-browser", "/snap/bin/chromium",
		"microsoft-edge-stable", "microsoft-edge", "/opt/microsoft/msedge/msedge",
		"brave-browser-stable", "brave-browser", "brave", "/opt/brave.com/brave/brave",
	}
}
