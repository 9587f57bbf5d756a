package capture

import (
	"encoding/json"
	"slices"
	"strings"

	"cdphost/sdk/fault"
)

// webSchemes are the schemes of URLs that reach nothing but the web and the page
// itself. All others may reach the machine or the browser: each browser has names
// of its own for the latter (chrome, devtools, edge, brave, ...), and hands what it
// does not know to the system.
var webSchemes = []string{"http", "https", "data", "blob", "javascript"}

// blocked refuses what reaches beyond the web: local URLs, uploads, download
// paths.
func (h *Handle) blocked(cmd *Command, p fields) error {
	switch cmd.Method {
	case "Page.navigate", "Target.createTarget", "Network.loadNetworkResource", "Fetch.continueRequest":
		return h.schemeAllowed(p.text("url"))
	case "DOM.setFileInputFiles":
		return h.mayUpload(p["files"])
	case "Input.dispatchDragEvent":
		if files := fieldsOf(p["data"])["files"]; files != nil {
			return h.mayUpload(files)
		}
	case "Page.setDownloadBehavior", "Browser.setDownloadBehavior":
		if !h.holder.Download && (p["downloadPath"] != nil || strings.HasPrefix(p.text("behavior"), "allow")) {
			return fault.New(fault.SchemeBlocked, "downloads to a path are not allowed for this toolset")
		}
	}
	return nil
}

func (h *Handle) mayUpload(files json.RawMessage) error {
	var paths []string
	switch {
	case !h.holder.Upload:
		return fault.New(fault.SchemeBlocked, "uploading files is not allowed; set browser.upload_root to allow it")
	case h.holder.UploadRoot == "":
		return nil
	case json.Unmarshal(files, &paths) != nil:
		return fault.New(fault.InvalidArgument, "the files are not a list of paths")
	}
	for _, path := range paths {
		if !inside(h.holder.UploadRoot, path) {
			return fault.New(fault.SchemeBlocked, "%s is not in browser.upload_root", path)
		}
	}
	return nil
}

// SchemeOf returns the scheme that a browser takes a URL to have, in lower case:
// it drops leading spaces and control characters, and tabs and line ends
// anywhere (URL Standard, basic URL parser). It is "" for what has none.
func SchemeOf(url string) string {
	scheme, _, ok := strings.Cut(clean(url), ":")
	if !ok {
		return ""
	}
	return strings.ToLower(scheme)
}

func clean(url string) string {
	url = strings.TrimFunc(url, func(r rune) bool { return r <= ' ' })
	return strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(url)
}

func (h *Handle) schemeAllowed(url string) error {
	scheme := SchemeOf(url)
	if scheme == "about" && !isBlank(url) {
		scheme = "chrome" // about:version and its like are other names for these
	}
	if scheme == "" || scheme == "about" || slices.Contains(webSchemes, scheme) || slices.Contains(h.holder.Schemes, scheme) {
		return nil
	}
	return fault.New(fault.SchemeBlocked, "%s: URLs are not allowed for this toolset; add %q to its allow_schemes to allow them", scheme, scheme)
}

// isBlank reports whether an about: URL is an empty page.
func isBlank(url string) bool {
	_, page, _ := strings.Cut(clean(url), ":")
	if i := strings.IndexAny(page, "?#"); i >= 0 {
		page = page[:i]
	}
	page = strings.ToLower(page)
	return page == "blank" || page == "srcdoc"
}
