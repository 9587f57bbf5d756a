package endpoint

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"cdphost/sdk/fault"
)

const (
	// restTimeout bounds one request: the creation of a session waits for its
	// browser to start.
	restTimeout = 60 * time.Second
	// restLimit bounds an answer in bytes.
	restLimit = 1 << 20
	// messageLimit bounds what is quoted of a provider's own message, in bytes.
	messageLimit = 200
)

// restAPI is a provider's JSON API. The key is within functions, so that no print
// of the struct shows it.
type restAPI struct {
	base      *url.URL
	client    *http.Client
	authorize func(*http.Request)
	clean     func(string) string // takes secrets out of a text
}

// call sends in as JSON, when it is not nil, and reads the answer into out, when
// that is not nil.
func (a *restAPI) call(ctx context.Context, method, path string, in, out any) error {
	ctx, cancel := context.WithTimeout(ctx, restTimeout)
	defer cancel()
	status, header, body, err := a.exchange(ctx, method, path, in)
	if err != nil {
		if ctx.Err() != nil {
			return callerLeft(ctx)
		}
		return providerFault(fault.EndpointUnreachable, Unreachable, 0,
			"Browserbase can't be reached: %s", a.clean(err.Error()))
	}
	if err := a.statusError(status, header, body); err != nil {
		return err
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(body, out); err != nil {
		return providerFault(fault.EndpointUnreachable, Malformed, status,
			"Browserbase gave an answer that is not its API's: check browserbase.base_url.")
	}
	return nil
}

func (a *restAPI) exchange(ctx context.Context, method, path string, in any) (int, http.Header, []byte, error) {
	var payload io.Reader
	if in != nil {
		data, err := json.Marshal(in)
		if err != nil {
			return 0, nil, nil, err
		}
		payload = bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(ctx, method, a.base.String()+path, payload)
	if err != nil {
		return 0, nil, nil, err
	}
	a.authorize(req)
	req.Header.Set("Accept", "application/json")
	if in != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := a.client.Do(req)
	if err != nil {
		return 0, nil, nil, err
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(res.Body, restLimit+1))
	if err == nil && len(body) > restLimit {
		err = errBadAnswer
	}
	return res.StatusCode, res.Header, body, err
}

// statusError turns an HTTP status that is not success into a fault.
func (a *restAPI) statusError(status int, header http.Header, body []byte) error {
	said := a.message(body)
	switch {
	case status >= 200 && status < 300:
		return nil
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return providerFault(fault.EndpointUnreachable, Unauthorized, status,
			"Browserbase refuses the API key (HTTP %d): check BROWSERBASE_API_KEY and the project it belongs to.%s", status, said)
	case status == http.StatusPaymentRequired:
		return providerFault(fault.EndpointUnreachable, PaymentRequired, status,
			"Browserbase asks for payment (HTTP 402): the account has no browser time left, or its plan lacks what was asked for.%s", said)
	case status == http.StatusTooManyRequests:
		seconds, ok := retryAfter(header.Get("Retry-After"))
		if !ok {
			return providerFault(fault.EndpointUnreachable, RateLimited, status,
				"Browserbase has reached its limit of sessions (HTTP 429): end other sessions, or try again in a minute.%s", said)
		}
		return providerFault(fault.EndpointUnreachable, RateLimited, status,
			"Browserbase has reached its limit of sessions (HTTP 429): end other sessions, or try again in %d s.%s", seconds, said).
			With("retry_after_s", seconds)
	case status >= 500:
		return providerFault(fault.EndpointUnreachable, Failing, status,
			"Browserbase fails (HTTP %d): try again later.%s", status, said)
	case status >= 400:
		return providerFault(fault.InvalidArgument, Rejected, status,
			"Browserbase rejects the request (HTTP %d): check browserbase in the configuration.%s", status, said)
	default:
		return providerFault(fault.EndpointUnreachable, Malformed, status,
			"Browserbase gave an answer that is not its API's (HTTP %d): check browserbase.base_url.", status)
	}
}

// message returns the provider's own words, made safe to append to a sentence.
func (a *restAPI) message(body []byte) string {
	var v struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(body, &v) != nil || v.Message == "" {
		return ""
	}
	s := strings.Join(strings.Fields(a.clean(v.Message)), " ")
	if len(s) > messageLimit {
		s = strings.ToValidUTF8(s[:messageLimit], "") + "…"
	}
	return " It says: " + s
}

func providerFault(code fault.Code, reason Reason, status int, format string, args ...any) *fault.Error {
	err := fault.New(code, format, args...).With("provider", string(Browserbase)).With("reason", string(reason))
	if status != 0 {
		err = err.With("status", status)
	}
	return err
}

// callerLeft says which way ctx ended.
func callerLeft(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return fault.Wrap(ctx.Err(), fault.Aborted, "The request to Browserbase was cancelled.")
	}
	return fault.Wrap(ctx.Err(), fault.Timeout, "Browserbase did not answer in time.")
}

// mayPass reports whether the same request may succeed later.
func mayPass(err error) bool {
	var f *fault.Error
	if !errors.As(err, &f) {
		return false
	}
	switch Reason(asString(f.Details["reason"])) {
	case RateLimited, Failing, Unreachable:
		return true
	}
	return false
}

func asString(v any) string {
	s, _ := v.(string)
	return s
}
