package endpoint

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/hashicorp/go-hclog"

	"cdphost/sdk/fault"
)

const (
	// browserPath begins the path of a browser's own WebSocket.
	browserPath = "/devtools/browser/"
	// pagePath begins the path of a single page's WebSocket.
	pagePath = "/devtools/page/"
	// versionPath is where a debugging port tells its browser's WebSocket.
	versionPath = "/json/version"
)

// DefaultWait is how long Resolve waits for a port that refuses connections, as
// that of a browser that is still starting does.
const DefaultWait = 15 * time.Second

// ResolveOptions are the optional parts of Resolve. The zero value is usable.
type ResolveOptions struct {
	Header     http.Header   // sent with each request
	Profile    string        // profile folder of the browser, when known
	Wait       time.Duration // for a refused connection; 0: DefaultWait, negative: not at all
	HTTPClient *http.Client  // nil: proxies of the environment, none for loopback
	Logger     hclog.Logger  // nil: silent
}

// Via says how an address was found.
type Via string

// The ways to a browser's WebSocket address.
const (
	ViaGiven      Via = "given"                // it was one already
	ViaVersion    Via = "json_version"         // the port told it
	ViaActivePort Via = "devtools_active_port" // read from the profile folder
)

// Info is what Resolve learned on the way; all but Via may be empty.
type Info struct {
	Via             Via
	Browser         string // product and version, such as Chrome/156.0.8078.114
	ProtocolVersion string
	UserAgent       string
}

// Resolve returns the WebSocket address of the browser that u names:
//
//   - ws(s):// with a path is taken as it is, and so is a Direct URL;
//   - http(s)://, host:port and ws(s)://host:port are asked through /json/version,
//     u's query is kept, a loopback authority in the answer is replaced by that of
//     u, and the answer is wss where u is https or wss;
//   - where a port answers without /json/version, as Chrome 144 and later does
//     when remote debugging was allowed in chrome://inspect, DevToolsActivePort of
//     o.Profile, or of the well-known profile folders for a port of this machine,
//     tells it;
//   - ws(s)://host?query of a service that has no /json/version is taken as it is.
//
// It does not connect to the WebSocket: a browser is proved by the answer to
// Browser.getVersion. Refused connections are tried again until ctx or o.Wait
// ends; everything else fails at once. Errors are fault.InvalidArgument,
// fault.EndpointUnreachable, fault.EndpointNotCDP and, when ctx is cancelled,
// fault.Aborted; none holds a secret of u.
func Resolve(ctx context.Context, u URL, o ResolveOptions) (URL, Info, error) {
	if u.IsZero() {
		return URL{}, Info{}, fault.New(fault.InvalidArgument, "No browser address is configured: set browser.cdp_url.")
	}
	p := u.parts()
	webSocket := p.Scheme == "ws" || p.Scheme == "wss"
	switch {
	case u.IsDirect():
		return u, Info{Via: ViaGiven}, nil
	case strings.HasPrefix(p.Path, pagePath):
		return URL{}, Info{}, fault.New(fault.InvalidArgument,
			"%s is the address of one page: give that of the browser, http://%s.", u, p.Host)
	case webSocket && p.Path != "" && p.Path != "/":
		return u.Direct(), Info{Via: ViaGiven}, nil
	}
	if o.HTTPClient == nil {
		o.HTTPClient = newHTTPClient()
	}
	if o.Logger == nil {
		o.Logger = hclog.NewNullLogger()
	}
	r := resolver{ResolveOptions: o, url: u, base: p}
	return r.resolve(ctx)
}

type resolver struct {
	ResolveOptions
	url  URL
	base *url.URL
}

func (r *resolver) resolve(ctx context.Context) (URL, Info, error) {
	at := versionURL(r.base)
	a, err := r.fetch(ctx, at)
	if err == nil && at.Scheme == "http" && a.badHost() {
		at, a, err = r.fetchByAddress(ctx, at)
	}
	if err != nil {
		return URL{}, Info{}, r.transportError(ctx, err)
	}
	found, info, err := a.browser(at)
	if err == nil {
		return found, info, nil
	}
	if fault.CodeOf(err) == fault.EndpointUnreachable {
		return URL{}, Info{}, err
	}
	r.Logger.Debug("port has no /json/version", "url", r.url, "status", a.status)
	if found, ok := r.fromProfile(); ok {
		return found, Info{Via: ViaActivePort}, nil
	}
	if r.isService() {
		return r.url.Direct(), Info{Via: ViaGiven}, nil
	}
	return URL{}, Info{}, err
}

// isService reports whether the address has the form in which services hand out
// a WebSocket without a path: ws(s)://host?token=….
func (r *resolver) isService() bool {
	return (r.base.Scheme == "ws" || r.base.Scheme == "wss") && r.base.RawQuery != ""
}

// fromProfile looks for the port in DevToolsActivePort of the profile folders
// that it may come from.
func (r *resolver) fromProfile() (URL, bool) {
	var profiles []string
	if r.Profile != "" {
		profiles = []string{r.Profile}
	} else if isLoopbackHost(r.base.Hostname()) {
		for _, p := range profileFolders() {
			profiles = append(profiles, p.folder)
		}
	}
	for _, profile := range profiles {
		a, err := readActivePort(profile)
		if err == nil && a.port == effectivePort(r.base) {
			return a.url(bracket(r.base.Hostname())), true
		}
	}
	return URL{}, false
}

// versionURL returns where p's port tells about its browser: below the path of
// p, and with its query.
func versionURL(p *url.URL) *url.URL {
	at := *p
	switch at.Scheme {
	case "ws":
		at.Scheme = "http"
	case "wss":
		at.Scheme = "https"
	}
	path := strings.TrimSuffix(at.Path, "/")
	for _, end := range []string{versionPath, "/json/list", "/json"} {
		if rest, ok := strings.CutSuffix(path, end); ok {
			path = rest
			break
		}
	}
	at.Path, at.RawPath = path+versionPath, ""
	return &at
}

func effectivePort(p *url.URL) string {
	if port := p.Port(); port != "" {
		return port
	}
	if p.Scheme == "https" || p.Scheme == "wss" {
		return "443"
	}
	return "80"
}

func bracket(host string) string {
	if strings.Contains(host, ":") {
		return "[" + host + "]"
	}
	return host
}

// waitLimit bounds the wait for a port that refuses connections.
func (r *resolver) waitLimit(ctx context.Context) (context.Context, context.CancelFunc) {
	switch {
	case r.Wait < 0:
		return context.WithCancel(ctx)
	case r.Wait == 0:
		return context.WithTimeout(ctx, DefaultWait)
	default:
		return context.WithTimeout(ctx, r.Wait)
	}
}

var errBadAnswer = errors.New("answer is longer than a browser's")
