package frame

import "github.com/chromedp/cdproto/cdp"

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
	inherited := opaque
	if parent != nil && !f.Top {
		inherited = parent.Origin
	}
	f.URL = text(url, urlCap)
	f.Origin = origin(securityOrigin, url, inherited)
}

func (f *Frame) clearContexts() {
	f.DefaultContext, f.DefaultContextID, f.defaultKey, f.Worlds = "", 0, "", nil
}
