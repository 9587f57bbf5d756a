package endpoint

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/hashicorp/go-hclog"

	"cdphost/sdk/fault"
)

const (
	// DefaultBrowserbaseURL is Browserbase's REST API.
	DefaultBrowserbaseURL = "https://api.browserbase.com"
	// keyHeader carries the API key.
	keyHeader = "X-BB-API-Key"
	// cancelGrace is how long Start stays with a request after its caller left:
	// an answer that comes too late names a session that has to be given back.
	cancelGrace = 5 * time.Second
	// releaseTries is how often a release is tried: a session that is not given
	// back costs money until it times out.
	releaseTries = 3
)

// BrowserbaseOptions say which account pays and what to rent.
type BrowserbaseOptions struct {
	APIKey     string
	BaseURL    string // empty: DefaultBrowserbaseURL
	Rental     Rental
	HTTPClient *http.Client // nil: proxies of the environment, none for loopback
	Logger     hclog.Logger // nil: silent
}

// BrowserbaseProvider rents browsers from Browserbase. It is safe for concurrent
// use and holds no state of its sessions.
type BrowserbaseProvider struct {
	api    restAPI
	rental Rental
	log    hclog.Logger
	pause  time.Duration // before the first repetition of a release
}

var _ Provider = (*BrowserbaseProvider)(nil)

// NewBrowserbase makes a provider; it sends nothing. Errors are
// fault.ConfigInvalid: no key, or a base URL that would send it without TLS.
func NewBrowserbase(o BrowserbaseOptions) (*BrowserbaseProvider, error) {
	if o.APIKey == "" {
		return nil, fault.New(fault.ConfigInvalid, "Browserbase needs an API key: set BROWSERBASE_API_KEY or browserbase.api_key.")
	}
	if o.BaseURL == "" {
		o.BaseURL = DefaultBrowserbaseURL
	}
	base, err := url.Parse(strings.TrimSuffix(strings.TrimRight(o.BaseURL, "/"), "/v1"))
	if err != nil || base.Host == "" || base.Scheme != "https" && (base.Scheme != "http" || !isLoopbackHost(base.Hostname())) {
		return nil, fault.New(fault.ConfigInvalid, "browserbase.base_url must be an https URL, or http on this machine: the API key goes there.")
	}
	if o.HTTPClient == nil {
		o.HTTPClient = newHTTPClient()
	}
	client := *o.HTTPClient
	// A redirect would carry the key to wherever it leads.
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	if o.Logger == nil {
		o.Logger = hclog.NewNullLogger()
	}
	key := o.APIKey
	return &BrowserbaseProvider{
		api: restAPI{
			base:      base,
			client:    &client,
			authorize: func(r *http.Request) { r.Header.Set(keyHeader, key) },
			clean:     func(s string) string { return strings.ReplaceAll(URL{}.ScrubText(s), key, hidden) },
		},
		rental: o.Rental,
		log:    o.Logger,
		pause:  500 * time.Millisecond,
	}, nil
}

type browserbaseCreate struct {
	ProjectID string          `json:"projectId,omitempty"`
	Region    string          `json:"region,omitempty"`
	KeepAlive bool            `json:"keepAlive,omitempty"`
	Proxies   json.RawMessage `json:"proxies,omitempty"`
	Timeout   int64           `json:"timeout,omitempty"` // seconds
	Settings  json.RawMessage `json:"browserSettings,omitempty"`
}

type browserbaseSession struct {
	ID         string    `json:"id"`
	Status     string    `json:"status"`
	Region     string    `json:"region"`
	ConnectURL string    `json:"connectUrl"`
	ExpiresAt  time.Time `json:"expiresAt"`
	KeepAlive  bool      `json:"keepAlive"`
}

// Start creates a session (POST /v1/sessions). Failures are fault errors with a
// Reason in their details; fault.Aborted when ctx was cancelled, and
// fault.Timeout when its deadline passed.
func (b *BrowserbaseProvider) Start(ctx context.Context) (*Session, error) {
	patient, stop := outlive(ctx, cancelGrace)
	defer stop()
	var s browserbaseSession
	err := b.api.call(patient, http.MethodPost, "/v1/sessions", browserbaseCreate{
		ProjectID: b.rental.ProjectID,
		Region:    b.rental.Region,
		KeepAlive: b.rental.KeepAlive,
		Proxies:   b.rental.Proxies,
		Timeout:   int64((b.rental.Timeout + time.Second - 1) / time.Second),
		Settings:  b.rental.Settings,
	}, &s)
	if ctx.Err() != nil {
		b.giveBack(ctx, s.ID)
		return nil, callerLeft(ctx)
	}
	if err != nil {
		b.giveBack(ctx, s.ID)
		return nil, err
	}
	at, err := connectURL(s)
	if err != nil {
		b.giveBack(ctx, s.ID)
		return nil, err
	}
	b.log.Debug("browserbase session created", "session", s.ID, "region", s.Region, "expires_at", s.ExpiresAt)
	return &Session{ID: s.ID, URL: at, ExpiresAt: s.ExpiresAt, KeepAlive: s.KeepAlive}, nil
}

// connectURL takes the address out of a new session.
func connectURL(s browserbaseSession) (URL, error) {
	at, err := ParseURL(s.ConnectURL)
	if scheme := at.parts().Scheme; err != nil || s.ID == "" || scheme != "wss" && scheme != "ws" {
		return URL{}, providerFault(fault.EndpointUnreachable, Malformed, http.StatusOK,
			"Browserbase created a session without a usable id and connectUrl: check browserbase.base_url.")
	}
	return at.Direct(), nil
}

// giveBack releases a session whose caller will never learn of it.
func (b *BrowserbaseProvider) giveBack(ctx context.Context, id string) {
	if id == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cancelGrace)
	defer cancel()
	if err := b.Stop(ctx, id); err != nil {
		b.log.Warn("browserbase session is left to its timeout", "session", id, "error", err)
	}
}

// Stop releases a session (POST /v1/sessions/{id} with REQUEST_RELEASE). Failures
// that may pass are tried again, three times in all.
func (b *BrowserbaseProvider) Stop(ctx context.Context, id string) error {
	pause := b.pause
	for try := 1; ; try++ {
		err := b.release(ctx, id)
		if err == nil || try == releaseTries || !mayPass(err) {
			return err
		}
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			timer.Stop()
			return err
		case <-timer.C:
		}
		pause *= 4
	}
}

func (b *BrowserbaseProvider) release(ctx context.Context, id string) error {
	err := b.api.call(ctx, http.MethodPost, sessionPath(id), struct {
		ProjectID string `json:"projectId,omitempty"`
		Status    string `json:"status"`
	}{b.rental.ProjectID, "REQUEST_RELEASE"}, nil)
	var f *fault.Error
	if errors.As(err, &f) && (f.Details["status"] == http.StatusNotFound || f.Details["status"] == http.StatusGone) {
		return nil
	}
	return err
}

// SessionState is what Browserbase says of a session.
type SessionState struct {
	ID        string
	Status    string // RUNNING, ERROR, TIMED_OUT or COMPLETED
	Region    string
	ExpiresAt time.Time
	KeepAlive bool
}

// Get reads a session (GET /v1/sessions/{id}).
func (b *BrowserbaseProvider) Get(ctx context.Context, id string) (*SessionState, error) {
	var s browserbaseSession
	if err := b.api.call(ctx, http.MethodGet, sessionPath(id), nil, &s); err != nil {
		return nil, err
	}
	return &SessionState{ID: s.ID, Status: s.Status, Region: s.Region, ExpiresAt: s.ExpiresAt, KeepAlive: s.KeepAlive}, nil
}

func sessionPath(id string) string { return "/v1/sessions/" + url.PathEscape(id) }

// outlive returns a context that ends grace after ctx does.
func outlive(ctx context.Context, grace time.Duration) (context.Context, context.CancelFunc) {
	patient, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var timer *time.Timer
	begun := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		timer = time.AfterFunc(grace, cancel)
		close(begun)
	})
	return patient, func() {
		if !stop() {
			<-begun
			timer.Stop()
		}
		cancel()
	}
}
