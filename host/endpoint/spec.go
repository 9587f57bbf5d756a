package endpoint

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"strings"
	"sync"
)

// Kind is where a browser comes from.
type Kind string

// The kinds of browser.backend in config.yaml.
const (
	Local       Kind = "local"       // launched by the host
	CDP         Kind = "cdp"         // running already, reached by URL
	Browserbase Kind = "browserbase" // rented from Browserbase
	Camofox     Kind = "camofox"     // REST only, has no CDP
	None        Kind = "none"        // no browser
)

// HasCDP reports whether browsers of this kind speak CDP.
func (k Kind) HasCDP() bool { return k == Local || k == CDP || k == Browserbase }

// Spec says which browser a task wants. It is a plain value; nothing in it is
// touched by this package.
type Spec struct {
	Kind       Kind
	URL        URL      // CDP: where the browser is
	Profile    string   // CDP: profile folder that holds DevToolsActivePort; Local: profile to keep, empty for a temporary one
	Executable string   // Local: see FindBrowser
	Headless   bool     // Local
	Args       []string // Local: further command line flags
	Isolated   bool     // the task shares its browser with no other task
	UserOwned  bool     // a person's own browser: never attach to it as a whole
	Rental     Rental   // Browserbase: what to ask for
}

// Shareable reports whether tasks with this Spec may use one browser together.
func (s Spec) Shareable() bool { return !s.Isolated && (s.Kind == Local || s.Kind == CDP) }

// AllowsSecond reports whether a second connection to the same browser may be
// tried. Rented browsers are billed by connection or take one only.
func (s Spec) AllowsSecond() bool { return s.Kind == Local || s.Kind == CDP }

// Key returns the identity of the browser that s names, for the sharing of
// links: equal Keys, and Shareable, mean one browser. Different spellings of one
// address (localhost:9222, http://127.0.0.1:9222/) have one Key. It is a keyed
// hash, new in every process, so it may be logged: secrets can't be guessed from
// it.
func (s Spec) Key() string {
	address := ""
	if s.Kind == CDP {
		address = canonical(s.URL)
	}
	return digest(struct {
		Kind                Kind
		Address             string
		Profile, Executable string
		Headless            bool
		Args                []string
		Isolated, UserOwned bool
		Rental              Rental
	}{s.Kind, address, s.Profile, s.Executable, s.Headless, s.Args, s.Isolated, s.UserOwned, s.Rental})
}

// Key returns the identity of the address, as Spec.Key does.
func (u URL) Key() string { return digest(canonical(u)) }

// canonical returns one text for all spellings of an address that Resolve would
// treat alike.
func canonical(u URL) string {
	if u.IsZero() {
		return ""
	}
	p := u.parts()
	secure := p.Scheme == "wss" || p.Scheme == "https"
	host, port := p.Hostname(), p.Port()
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		host = "127.0.0.1"
	}
	if port == "" {
		port = map[bool]string{false: "80", true: "443"}[secure]
	}
	path := strings.TrimSuffix(p.Path, "/")
	path = strings.TrimSuffix(path, versionPath)
	c := url.URL{Host: host + " " + port, Path: path, RawQuery: p.Query().Encode(), User: p.User}
	if secure {
		c.Scheme = "s"
	}
	return c.String()
}

var processKey = sync.OnceValue(func() []byte {
	key := make([]byte, sha256.Size)
	_, _ = rand.Read(key) // never fails: crypto/rand ends the process instead
	return key
})

func digest(v any) string {
	data, err := json.Marshal(v)
	if err != nil { // not reached: only plain values are given
		panic(err)
	}
	mac := hmac.New(sha256.New, processKey())
	mac.Write(data)
	return hex.EncodeToString(mac.Sum(nil)[:16])
}
