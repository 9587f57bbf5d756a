package cdptest

import (
	"errors"
	"net"
	"net/http"
	"strconv"
	"strings"
)

// portMark is replaced in pages by the port of their site, so that a page can name another host.
const portMark = "{{port}}"

// Hosts says who answers for each host name of a site; "*" answers for those not named.
type Hosts map[string]http.Handler

// Paths is a host made of HTML: the page of each path. {{port}} in a page becomes the site's port.
// A path that is not there is a 404.
type Paths map[string]string

// ServeHTTP implements http.Handler.
func (p Paths) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	page, ok := p[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	_, port, _ := net.SplitHostPort(r.Host)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write([]byte(strings.ReplaceAll(page, portMark, port))) // a reader that left is its own affair
}

// Pages is a web site of several hosts on one loopback port. Browsers of this package find every
// host under .test there.
type Pages struct {
	Port int

	server *http.Server
	done   chan error
}

// Site serves hosts for one test and stops in tb's Cleanup.
func Site(tb TB, hosts Hosts) *Pages {
	tb.Helper()
	p, err := ServePages(hosts)
	if err != nil {
		tb.Fatalf("cdptest: %v", err)
	}
	tb.Cleanup(func() {
		if err := p.Close(); err != nil {
			tb.Errorf("cdptest: close site: %v", err)
		}
	})
	return p
}

// ServePages serves hosts until Close.
func ServePages(hosts Hosts) (*Pages, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	addr, ok := ln.Addr().(*net.TCPAddr)
	if !ok {
		return nil, errors.Join(errors.New("cdptest: not a TCP address"), ln.Close())
	}
	p := &Pages{Port: addr.Port, server: &http.Server{Handler: hosts}, done: make(chan error, 1)}
	go func() { p.done <- p.server.Serve(ln) }()
	return p, nil
}

// ServeHTTP implements http.Handler: it hands the request to its host.
func (h Hosts) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		name = r.Host
	}
	handler, ok := h[name]
	if !ok {
		handler, ok = h["*"]
	}
	if !ok {
		http.NotFound(w, r)
		return
	}
	handler.ServeHTTP(w, r)
}

// URL returns the address of a path of a host, http://a.test:PORT/path.
func (p *Pages) URL(host, path string) string {
	return "http://" + net.JoinHostPort(host, strconv.Itoa(p.Port)) + path
}

// Close cuts all connections and waits for the server.
func (p *Pages) Close() error {
	err := p.server.Close()
	if serveErr := <-p.done; !errors.Is(serveErr, http.ErrServerClosed) {
		err = errors.Join(err, serveErr)
	}
	return err
}
