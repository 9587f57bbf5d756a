package link

import (
	"context"

	"cdphost/host/endpoint"
	"cdphost/sdk/fault"
)

// browser is what a link is connected to: a process that it launched, a
// provider's session, or somebody's endpoint.
type browser struct {
	url  endpoint.URL
	gone <-chan struct{} // closed when the browser is known to be gone; nil: unknown
	stop func(context.Context) error
}

func (b *browser) dead() bool {
	if b == nil {
		return true
	}
	select {
	case <-b.gone:
		return true
	default:
		return false
	}
}

// openBrowser returns the browser to connect to; fresh is true when it is not
// the one of the attachment before.
func (l *Link) openBrowser(ctx context.Context) (fresh bool, err error) {
	if !l.browser.dead() {
		if l.spec.Kind != endpoint.CDP {
			return false, nil
		}
		// An endpoint may have moved, or be another browser by now: ask it again.
		u, err := l.resolve(ctx)
		if err != nil {
			return false, err
		}
		fresh = u.Reveal() != l.browser.url.Reveal()
		l.browser.url = u
		return fresh, nil
	}
	l.closeBrowser(ctx)
	b, err := l.startBrowser(ctx)
	if err != nil {
		return false, err
	}
	l.browser = b
	return true, nil
}

func (l *Link) startBrowser(ctx context.Context) (*browser, error) {
	switch l.spec.Kind {
	case endpoint.Local:
		p, err := endpoint.Launch(ctx, endpoint.LaunchOptions{
			Executable: l.spec.Executable, Headless: l.spec.Headless, Args: l.spec.Args, Profile: l.spec.Profile, Logger: l.opts.Logger,
		})
		if err != nil {
			return nil, err
		}
		return &browser{url: p.URL(), gone: p.Done(), stop: p.Close}, nil
	case endpoint.CDP:
		u, err := l.resolve(ctx)
		if err != nil {
			return nil, err
		}
		return &browser{url: u}, nil
	case endpoint.Browserbase:
		if l.opts.Provider == nil {
			return nil, fault.New(fault.ConfigInvalid, "the browserbase backend is not configured: set browserbase.api_key")
		}
		provider, err := l.opts.Provider(l.spec.Rental)
		if err != nil {
			return nil, err
		}
		s, err := provider.Start(ctx)
		if err != nil {
			return nil, err
		}
		return &browser{url: s.URL, stop: func(ctx context.Context) error {
			return provider.Stop(ctx, s.ID)
		}}, nil
	}
	if l.spec.Kind == endpoint.None {
		return nil, fault.New(fault.Unsupported, "no browser is configured (browser.backend is none); join one with browser_connect, or set a backend")
	}
	return nil, fault.New(fault.Unsupported, "the backend %s has no CDP, so cdphost can't drive it; use local, cdp or browserbase", l.spec.Kind)
}

func (l *Link) resolve(ctx context.Context) (endpoint.URL, error) {
	o := endpoint.ResolveOptions{Profile: l.spec.Profile, Logger: l.opts.Logger}
	if l.browser != nil {
		o.Wait = -1 // it listened before: the link waits between its tries
	}
	u, _, err := endpoint.Resolve(ctx, l.spec.URL, o)
	return u, err
}

func (l *Link) closeBrowser(ctx context.Context) {
	if l.browser == nil {
		return
	}
	if l.browser.stop != nil {
		if err := l.browser.stop(ctx); err != nil {
			l.opts.Logger.Warn("the browser did not stop cleanly", "error", err)
		}
	}
	l.browser = nil
}
