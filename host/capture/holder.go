package capture

import (
	"slices"
	"strings"

	"cdphost/sdk/fault"
)

// Holder is who holds a handle, and what it may do.
type Holder struct {
	// Name is the tool's or the plugin's, for errors, guards and records.
	Name string
	// Generation tells the processes of one plugin apart.
	Generation uint64
	// Priority orders those who intercept the same request, ascending, before their
	// names.
	Priority int
	// Trusted holders need no grants: the host's own tools and builtin plugins.
	Trusted bool
	// Methods are granted to a holder that is not trusted: "Domain.method",
	// "Domain.*" or "*".
	Methods []string
	// Events are granted to a holder that is not trusted, in the same form.
	Events []string
	// Toolsets are the toolsets whose tasks it may capture; "*" is all.
	Toolsets []string
	// Schemes are URL schemes that it may use beyond the web's own: "file",
	// "chrome", "devtools".
	Schemes []string
	// Upload allows DOM.setFileInputFiles, Download allows download paths.
	Upload, Download bool
	// UploadRoot, when not empty, is the folder that uploaded files must be in.
	UploadRoot string
	// KeepsWhatItMakes leaves in place what the handle made: an agent's tabs and
	// scripts are the task's own and end with it.
	KeepsWhatItMakes bool
}

func (h *Holder) granted(method string) error {
	if h.Trusted || matchAny(h.Methods, method) {
		return nil
	}
	return fault.New(fault.NotGranted, "%s was not granted %s; add it to plugins.%s.grants.methods", h.Name, method, h.Name)
}

// grantedEvents refuses a filter that names events beyond the grants. A pattern
// must be granted as a whole.
func (h *Holder) grantedEvents(methods []string) error {
	if h.Trusted {
		return nil
	}
	for _, m := range methods {
		if !slices.Contains(h.Events, m) && !matchAny(h.Events, strings.TrimSuffix(m, "*")) {
			return fault.New(fault.NotGranted, "%s was not granted the events %s; add them to plugins.%s.grants.events", h.Name, m, h.Name)
		}
	}
	return nil
}

// admits reports whether the holder may capture tasks of a toolset.
func (h *Holder) admits(toolset string) error {
	if h.Trusted || slices.Contains(h.Toolsets, toolset) || slices.Contains(h.Toolsets, "*") {
		return nil
	}
	return fault.New(fault.NotGranted, "%s was not granted tasks of the toolset %q; add it to plugins.%s.grants.toolsets", h.Name, toolset, h.Name)
}

// matchAny reports whether a method is named by one of the patterns.
func matchAny(patterns []string, method string) bool {
	for _, p := range patterns {
		if p == method || p == "*" {
			return true
		}
		if domain, ok := strings.CutSuffix(p, "*"); ok && strings.HasSuffix(domain, ".") && strings.HasPrefix(method, domain) {
			return true
		}
	}
	return false
}
