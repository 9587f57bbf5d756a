package cdptest

import (
	"net/url"
	"strings"
)

// windowOpen opens a popup from a frame and calls opened when window.open returns.
func (f *Frame) windowOpen(to, features string, opened func()) *target {
	to = resolve(f.url, to)
	noopener := strings.Contains(features, "noopener")
	f.target.emit("Page.windowOpen", M{
		"url": to, "windowName": "", "windowFeatures": []string{}, "userGesture": true,
	})
	s, opener := f.s, f.page()
	t := s.newPage(opener.context, "", f)
	t.hasOpener = !noopener
	if !noopener {
		t.group, t.process = opener.group, f.target.process
	}
	start := func() {
		if t.gone {
			return
		}
		if !noopener {
			opened()
			t.emit("Page.frameRequestedNavigation", M{
				"frameId": t.root.id, "reason": "other", "url": to, "disposition": "currentTab",
			})
		}
		if to == "" || to == "about:blank" {
			t.root.url, t.url = "about:blank", "about:blank"
			t.infoChanged()
			return
		}
		(&navigation{frame: t.root, url: to, kind: "differentDocument"}).begin()
	}
	t.announce(&hold{any: !noopener, stalls: noopener, start: start})
	if noopener {
		opened()
	}
	if t.hold == nil {
		start()
	}
	return t
}

// resolve returns a URL relative to a document's.
func resolve(base, ref string) string {
	b, err := url.Parse(base)
	if err != nil || ref == "" {
		return ref
	}
	u, err := b.Parse(ref)
	if err != nil {
		return ref
	}
	return u.String()
}
