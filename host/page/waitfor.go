package page

import (
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"cdphost/sdk/fault"
)

var waitFor = &action{
	name: "wait_for",
	line: "wait for exactly one of uid, selector, text (shown on the page) or url (part of it, or a pattern with *). state: visible (default), hidden, attached, detached, enabled, disabled. timeout in s.",
	schema: takes("wait_for", onElement(may("text", text()), may("url", text()),
		may("state", oneOf("", states...)), may("timeout", number()))...),
	do: perform(doWaitFor),
}

var states = []string{"visible", "hidden", "attached", "detached", "enabled", "disabled"}

// waitTimeout is how long wait_for waits when it is not told.
const waitTimeout = 10 * time.Second

type waitArgs struct {
	element
	Text    string   `json:"text"`
	URL     string   `json:"url"`
	State   string   `json:"state"`
	Timeout *float64 `json:"timeout"`
}

func (a *waitArgs) check() error {
	given := 0
	for _, s := range []string{a.UID, a.Selector, a.Text, a.URL} {
		if s != "" {
			given++
		}
	}
	if given != 1 {
		return fault.New(fault.InvalidAction, "wait_for takes exactly one of uid, selector, text and url")
	}
	if a.State == "" {
		a.State = "visible"
	}
	switch {
	case !slices.Contains(states, a.State):
		return fault.New(fault.InvalidAction, "there is no state %q; use %s", a.State, strings.Join(states, ", "))
	case a.Text != "" && (a.State == "enabled" || a.State == "disabled"):
		return fault.New(fault.InvalidAction, "a text is never %s; use visible or hidden", a.State)
	case a.Timeout != nil && (*a.Timeout <= 0 || *a.Timeout > maxTimeout.Seconds()):
		return fault.New(fault.InvalidAction, "timeout is in seconds, more than 0 and at most %v", maxTimeout.Seconds())
	}
	return nil
}

func (a *waitArgs) String() string {
	switch {
	case a.Text != "":
		return "text " + quote(a.Text)
	case a.URL != "":
		return "url " + a.URL
	}
	return a.element.String()
}

func doWaitFor(r *run, a waitArgs) (any, error) {
	if err := a.check(); err != nil {
		return nil, err
	}
	start := time.Now()
	wait := waitTimeout
	if a.Timeout != nil {
		wait = seconds(*a.Timeout)
	}
	if deadline, ok := r.ctx.Deadline(); ok {
		wait = min(wait, time.Until(deadline)-100*time.Millisecond)
	}
	ctx, cancel := context.WithTimeout(r.ctx, max(wait, 0))
	defer cancel()
	var (
		out map[string]any
		err error
	)
	if a.URL != "" {
		out, err = r.waitURL(ctx, a.URL, a.State == "hidden" || a.State == "detached")
	} else {
		out, err = r.waitFrames(ctx, &a)
	}
	switch {
	case err == nil:
		out["waited_ms"] = time.Since(start).Milliseconds()
		return out, nil
	case r.ctx.Err() != nil:
		return nil, context.Cause(r.ctx)
	case ctx.Err() != nil:
		return nil, fault.New(fault.Timeout, "%s was not %s within %v; extract and look, do not repeat the wait", a.String(), a.State, wait.Round(time.Millisecond))
	}
	return nil, err
}

func (r *run) waitURL(ctx context.Context, pattern string, gone bool) (map[string]any, error) {
	for {
		changed := r.host.Changed()
		if tab, ok := r.host.State().Tab(r.tabID); ok && matchURL(pattern, tab.URL) != gone {
			return map[string]any{"url": tab.URL}, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// matchURL tells whether a url is as wanted: it contains the text, or the whole
// of it matches a pattern in which * stands for anything.
func matchURL(pattern, url string) bool {
	if !strings.Contains(pattern, "*") {
		return strings.Contains(url, pattern)
	}
	// path.Match stops at slashes, which mean nothing here.
	flat := strings.NewReplacer("/", "\x00", "?", "\x01", "[", "\x02", "]", "\x03", "\\", "\x04")
	ok, err := path.Match(flat.Replace(pattern), flat.Replace(url))
	return err == nil && ok
}
