package capture_test

import (
	"os"
	"path/filepath"
	"testing"

	"cdphost/host/capture"
	"cdphost/sdk/fault"
)

func TestSchemes(t *testing.T) {
	t.Parallel()
	h := onMock(t)
	handle := h.capture(t, trusted)
	for url, blocked := range map[string]bool{
		"http://a.test/":           false,
		"HTTPS://a.test/":          false,
		"about:blank":              false,
		"about:blank#x":            false,
		"about:blank?x":            false,
		"about:srcdoc":             false,
		"data:text/html,x":         false,
		"blob:http://a.test/1":     false,
		"javascript:1":             false,
		"":                         false,
		"/etc/passwd":              false, // Chrome finds no scheme in it
		"file:///etc/passwd":       true,
		"FILE:///etc/passwd":       true,
		"  file:///etc/passwd":     true,
		"\x00\x1ffile:///x":        true,
		"f\til\ne:///etc/passwd":   true,
		"\u00a0file:///etc/passwd": true, // not what the browser drops, and no scheme that it has
		"file:/etc/passwd":         true,
		`file:\\etc\passwd`:        true,
		"view-source:http://a/":    true,
		"View-Source:file:///x":    true,
		"chrome://version":         true,
		"chrome:version":           true,
		"chrome-untrusted://x":     true,
		"chrome-extension://x/":    true,
		"devtools://devtools/x":    true,
		"edge://version":           true,
		"brave://version":          true,
		"filesystem:http://a/":     true,
		"about:version":            true,
		"about:crash":              true,
		"ABOUT:Settings":           true,
		"about:blank/../crash":     true,
		"about:":                   true,
		"isolated-app://x":         true,
		"ms-settings:x":            true,
		"ftp://a.test/":            true,
	} {
		for method, session := range map[string]string{"Page.navigate": h.page.SessionID, "Target.createTarget": "", "Fetch.continueRequest": h.page.SessionID} {
			_, err := handle.Call(bound(t), method, M{"url": url, "requestId": "r"}, capture.OnSession(session))
			if got := fault.CodeOf(err) == fault.SchemeBlocked; got != blocked {
				t.Errorf("%s %q: %v, want it blocked: %v", method, url, err, blocked)
			}
		}
	}
	allowed := h.capture(t, capture.Holder{Name: "local", Trusted: true, Schemes: []string{"file"}})
	mustCall(t, allowed, "Page.navigate", M{"url": "file:///tmp/x"}, capture.OnSession(h.page.SessionID))
	_, err := allowed.Call(bound(t), "Page.navigate", M{"url": "chrome://version"}, capture.OnSession(h.page.SessionID))
	wantCode(t, err, fault.SchemeBlocked)
}

func TestNamesAreReadExactly(t *testing.T) {
	t.Parallel()
	h := onMock(t)
	handle := h.capture(t, trusted)
	_, err := handle.Call(bound(t), "Page.navigate", M{"url": "file:///etc/passwd", "URL": "http://a.test/", "Url": "http://a.test/"}, capture.OnSession(h.page.SessionID))
	wantCode(t, err, fault.SchemeBlocked)
}

func TestUploadsAndDownloads(t *testing.T) {
	t.Parallel()
	h := onMock(t)
	page := capture.OnSession(h.page.SessionID)
	root := t.TempDir()
	in, out := filepath.Join(root, "in.txt"), filepath.Join(t.TempDir(), "out.txt")
	for _, f := range []string{in, out} {
		if err := os.WriteFile(f, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(root, "link.txt")
	if err := os.Symlink(out, link); err != nil {
		t.Fatal(err)
	}
	none := trusted
	rooted := capture.Holder{Name: "agent", Trusted: true, Upload: true, UploadRoot: root}
	free := capture.Holder{Name: "agent", Trusted: true, Upload: true, Download: true}
	for name, c := range map[string]struct {
		holder capture.Holder
		method string
		params M
		code   fault.Code
	}{
		"upload, not allowed":         {none, "DOM.setFileInputFiles", M{"files": []string{in}}, fault.SchemeBlocked},
		"no files, not allowed":       {none, "DOM.setFileInputFiles", M{}, fault.SchemeBlocked},
		"drop, not allowed":           {none, "Input.dispatchDragEvent", M{"data": M{"files": []string{in}}}, fault.SchemeBlocked},
		"drop of text":                {none, "Input.dispatchDragEvent", M{"data": M{"items": []string{}}}, fault.CDPError},
		"upload from the folder":      {rooted, "DOM.setFileInputFiles", M{"files": []string{in}}, fault.CDPError},
		"upload from elsewhere":       {rooted, "DOM.setFileInputFiles", M{"files": []string{in, out}}, fault.SchemeBlocked},
		"upload of the folder":        {rooted, "DOM.setFileInputFiles", M{"files": []string{root}}, fault.SchemeBlocked},
		"upload past the folder":      {rooted, "DOM.setFileInputFiles", M{"files": []string{root + "/../" + filepath.Base(filepath.Dir(out)) + "/out.txt"}}, fault.SchemeBlocked},
		"upload through a link":       {rooted, "DOM.setFileInputFiles", M{"files": []string{link}}, fault.SchemeBlocked},
		"upload of a relative path":   {rooted, "DOM.setFileInputFiles", M{"files": []string{"in.txt"}}, fault.SchemeBlocked},
		"upload of no list":           {rooted, "DOM.setFileInputFiles", M{"files": in}, fault.InvalidArgument},
		"drop from elsewhere":         {rooted, "Input.dispatchDragEvent", M{"data": M{"files": []string{out}}}, fault.SchemeBlocked},
		"upload from anywhere":        {free, "DOM.setFileInputFiles", M{"files": []string{out}}, fault.CDPError},
		"download path":               {none, "Browser.setDownloadBehavior", M{"behavior": "default", "downloadPath": root}, fault.SchemeBlocked},
		"download allowed":            {none, "Browser.setDownloadBehavior", M{"behavior": "allowAndName"}, fault.SchemeBlocked},
		"page's download path":        {none, "Page.setDownloadBehavior", M{"behavior": "allow", "downloadPath": root}, fault.SchemeBlocked},
		"download denied":             {none, "Browser.setDownloadBehavior", M{"behavior": "deny"}, fault.CDPError},
		"download path, where it may": {free, "Browser.setDownloadBehavior", M{"behavior": "allow", "downloadPath": root}, fault.CDPError},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := h.capture(t, c.holder).Call(bound(t), c.method, c.params, page)
			wantCode(t, err, c.code) // cdp_error: the mock got it and knows it not
		})
	}
}
