package capture

import (
	"encoding/json"
	"slices"
	"strings"

	"cdphost/sdk/fault"
)

// localSchemes reach the machine or the browser instead of the web.
var localSchemes = []string{"file", "chrome", "devtools", "chrome-untrusted", "chrome-extension", "view-source", "filesystem"}

// blocked refuses what reaches beyond the web: local URLs, uploads, download
// paths.
func (h *Handle) blocked(cmd *Command) error {
	switch cmd.Method {
	case "Page.navigate", "Target.createTarget", "Network.loadNetworkResource":
		var p struct {
			URL string `json:"url"`
		}
		if json.Unmarshal(cmd.Params, &p) == nil {
			return h.schemeAllowed(p.URL)
		}
	case "DOM.setFileInputFiles":
		if !h.holder.Upload {
			return fault.New(fault.SchemeBlocked, "uploading files is not allowed; set browser.upload_root to allow it")
		}
	case "Input.dispatchDragEvent":
		var p struct {
			Data struct {
				Files []string `json:"files"`
			} `json:"data"`
		}
		if json.Unmarshal(cmd.Params, &p) == nil && len(p.Data.Files) > 0 && !h.holder.Upload {
			return fault.New(fault.SchemeBlocked, "uploading files is not allowed; set browser.upload_root to allow it")
		}
	case "Page.setDownloadBehavior", "Browser.setDownloadBehavior":
		var p struct {
			Behavior     string `json:"behavior"`
			DownloadPath string `json:"downloadPath"`
		}
		if json.Unmarshal(cmd.Params, &p) == nil && !h.holder.Download && (p.DownloadPath != "" || strings.HasPrefix(p.Behavior, "allow")) {
			return fault.New(fault.SchemeBlocked, "downloads to a path are not allowed for this toolset")
		}
	}
	return nil
}

// SchemeOf returns the scheme that a browser takes a URL to have, in lower case:
// it drops leading spaces and control characters, and tabs and line ends
// anywhere (URL Standard, basic URL parser).
func SchemeOf(url string) string {
	url = strings.TrimLeftFunc(url, func(r rune) bool { return r <= ' ' })
	url = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(url)
	scheme, _, ok := strings.Cut(url, ":")
	if !ok {
		return ""
	}
	return strings.ToLower(scheme)
}

func (h *Handle) schemeAllowed(url string) error {
	scheme := SchemeOf(url)
	if !slices.Contains(localSchemes, scheme) || slices.Contains(h.holder.Schemes, scheme) {
		return nil
	}
	return fault.New(fault.SchemeBlocked, "%s: URLs are not allowed for this toolset; add %q to its allow_schemes to allow them", scheme, scheme)
}
