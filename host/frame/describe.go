package frame

import "github.com/chromedp/cdproto/cdp"

// blank is the URL of the empty document that every frame starts with. No event
// names it, and the browser's frame tree has "" for it in frames not loaded yet.
const blank = "about:blank"

// describe copies what the browser says of a document into f, which is not shared
// yet.
func (f *Frame) describe(info *cdp.Frame, parent *Frame) {
	f.LoaderID = string(info.LoaderID)
	f.Name = text(info.Name, nameCap)
	f.UnreachableURL = text(info.UnreachableURL, urlCap)
	f.Crashed = false
	f.show(info.URL+info.URLFragment, info.SecurityOrigin, parent)
}

// show sets the URL of f and the origin that goes with it.
func (f *Frame) show(url, securityOrigin string, parent *Frame) {
	if url == "" {
		url = blank
	}
	f.URL = text(url, urlCap)
	if f.contextOrigin != "" {
		f.Origin = f.contextOrigin
		return
	}
	inherited := opaque
	if parent != nil && !f.Top {
		inherited = parent.Origin
	}
	f.Origin = documentOrigin(securityOrigin, url, inherited, f.OOPIF)
}

// clearDefault forgets the page's own execution context.
func (f *Frame) clearDefault() {
	f.DefaultContext, f.DefaultContextID, f.defaultKey, f.contextOrigin = "", 0, "", ""
}

func (f *Frame) clearContexts() {
	f.clearDefault()
	f.Worlds = nil
}
