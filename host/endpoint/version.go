package endpoint

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"cdphost/sdk/fault"
)

const (
	// answerLimit bounds the answer to /json/version: Chrome's has 500 bytes.
	answerLimit = 64 << 10
	// answerTimeout bounds one request: a debugging port answers in milliseconds,
	// a service that wakes up a browser first in seconds.
	answerTimeout = 10 * time.Second
	// First and longest pause between two tries of a refused connection.
	firstPause   = 50 * time.Millisecond
	longestPause = 500 * time.Millisecond
)

// answer is what a port said to GET /json/version.
type answer struct {
	asked      URL // for texts
	status     int
	retryAfter string
	body       []byte
}

// fetch asks until the port takes the connection.
func (r *resolver) fetch(ctx context.Context, at *url.URL) (*answer, error) {
	wait, cancel := r.waitLimit(ctx)
	defer cancel()
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		a, err := r.fetchOnce(ctx, at)
		if err == nil || r.Wait < 0 || !isRefused(err) {
			return a, err
		}
		timer := time.NewTimer(pause)
		select {
		case <-wait.Done():
			timer.Stop()
			return nil, err
		case <-timer.C:
		}
	}
}

func (r *resolver) fetchOnce(ctx context.Context, at *url.URL) (*answer, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return nil, err
	}
	if r.Header != nil {
		req.Header = r.Header.Clone()
	}
	res, err := r.HTTPClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(res.Body, answerLimit+1))
	if err == nil && len(body) > answerLimit {
		err = errBadAnswer
	}
	if err != nil {
		return nil, err
	}
	return &answer{asked: r.url, status: res.StatusCode, retryAfter: res.Header.Get("Retry-After"), body: body}, nil
}

// badHost reports Chrome's refusal of a Host header that names neither an IP
// address nor localhost, its protection against DNS rebinding.
func (a *answer) badHost() bool {
	return a.status == http.StatusInternalServerError && strings.Contains(string(a.body), "Host header is specified")
}

// fetchByAddress asks again by IP address in place of the host name. It is used
// without TLS only: a certificate is for the name.
func (r *resolver) fetchByAddress(ctx context.Context, at *url.URL) (*url.URL, *answer, error) {
	addrs, err := net.DefaultResolver.LookupNetIP(ctx, "ip", at.Hostname())
	if err != nil {
		return at, nil, err
	}
	for _, addr := range addrs {
		by := *at
		by.Host = net.JoinHostPort(addr.Unmap().String(), effectivePort(at))
		var a *answer
		if a, err = r.fetchOnce(ctx, &by); err == nil {
			return &by, a, nil
		}
	}
	return at, nil, err
}

// browser reads the browser's WebSocket address from the answer of at.
func (a *answer) browser(at *url.URL) (URL, Info, error) {
	if err := a.statusError(); err != nil {
		return URL{}, Info{}, err
	}
	var v struct {
		Browser   string `json:"Browser"`
		Protocol  string `json:"Protocol-Version"`
		UserAgent string `json:"User-Agent"`
		WebSocket string `json:"webSocketDebuggerUrl"`
	}
	if err := json.Unmarshal(a.body, &v); err != nil {
		return URL{}, Info{}, fault.New(fault.EndpointNotCDP,
			"%s answers HTTP, but its /json/version is not that of a browser: give the address of a browser's debugging port.", a.asked)
	}
	ws, err := url.Parse(v.WebSocket)
	if err != nil || v.WebSocket == "" || ws.Scheme != "ws" && ws.Scheme != "wss" {
		return URL{}, Info{}, fault.New(fault.EndpointNotCDP,
			"%s answers /json/version, but without the browser's webSocketDebuggerUrl: it does not offer the CDP of a whole browser.", a.asked)
	}
	adopt(ws, at)
	if err := check(ws); err != nil {
		return URL{}, Info{}, fault.New(fault.EndpointNotCDP,
			"%s answers /json/version with a webSocketDebuggerUrl that is not a usable address.", a.asked)
	}
	return makeURL(ws, true), Info{Via: ViaVersion, Browser: v.Browser, ProtocolVersion: v.Protocol, UserAgent: v.UserAgent}, nil
}

// adopt gives ws what the port could not know: the authority under which it was
// asked, TLS, credentials and the query.
func adopt(ws, at *url.URL) {
	if host := ws.Hostname(); host == "" || isLoopbackHost(host) || isUnspecified(host) {
		ws.Host = at.Host
		ws.Scheme = "ws"
	}
	if at.Scheme == "https" {
		ws.Scheme = "wss"
	}
	if ws.User == nil && strings.EqualFold(ws.Host, at.Host) {
		ws.User = at.User
	}
	has := ws.Query()
	for _, pair := range splitQuery(at.RawQuery) {
		name, _, _ := strings.Cut(pair, "=")
		if plain, err := url.QueryUnescape(name); err == nil && has.Has(plain) {
			continue
		}
		if ws.RawQuery != "" {
			ws.RawQuery += "&"
		}
		ws.RawQuery += pair
	}
}

func isUnspecified(host string) bool {
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.IsUnspecified()
}
