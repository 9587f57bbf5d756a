package endpoint

import (
	"context"
	"net/http"
	"time"
)

// discoverTimeout bounds the question to one port: a browser of this machine
// answers in milliseconds.
const discoverTimeout = 2 * time.Second

// Found is a running browser of this user that can be debugged.
type Found struct {
	URL     URL    // its WebSocket, to be dialled as it is
	Browser string // product, such as Chrome or Edge Beta
	Profile string // its profile folder
}

// Discover looks for running browsers: it reads DevToolsActivePort in the
// well-known profile folders of this operating system and asks each port whether
// a browser is still behind it, because a browser that crashed leaves the file.
// It opens no WebSocket, so it makes no browser ask its user. It does I/O and is
// not for a path that reads state.
func Discover(ctx context.Context) []Found {
	return discoverIn(ctx, profileFolders())
}

func discoverIn(ctx context.Context, folders []profileFolder) []Found {
	var found []Found
	for _, f := range folders {
		a, err := readActivePort(f.folder)
		if err != nil {
			continue
		}
		if u, ok := a.confirm(ctx); ok {
			found = append(found, Found{URL: u, Browser: f.browser, Profile: f.folder})
		}
	}
	return found
}

// confirm asks the port that a file names. A browser that has /json/version says
// itself where its WebSocket is; one that was opened in chrome://inspect answers
// 404, and the file's path holds.
func (a activePort) confirm(ctx context.Context) (URL, bool) {
	ctx, cancel := context.WithTimeout(ctx, discoverTimeout)
	defer cancel()
	u := a.url("127.0.0.1")
	base := u.parts()
	base.Path = ""
	r := resolver{ResolveOptions: ResolveOptions{Wait: -1, HTTPClient: newHTTPClient()}, url: u, base: base}
	at := versionURL(base)
	answer, err := r.fetch(ctx, at)
	if err != nil {
		return URL{}, false
	}
	found, _, err := answer.browser(at)
	switch {
	case err == nil:
		return found, true
	case answer.status == http.StatusNotFound:
		return u, true
	}
	return URL{}, false
}
