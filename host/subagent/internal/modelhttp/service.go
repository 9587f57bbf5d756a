package modelhttp

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"cdphost/host/subagent"
	"cdphost/sdk/fault"
)

// Service is a model as its errors speak of it.
type Service struct {
	Provider, Model, BaseURL string
	// Key is the secret, to be kept out of messages.
	Key string
}

// Answer is what a service answered in place of a reply.
type Answer struct {
	Status int
	Header http.Header
	// Code and Message are the service's own words; either may be empty.
	Code, Message string
	// Pictures is true when the request had any.
	Pictures bool
}

var (
	tooLong    = regexp.MustCompile(`(?i)context.?length|context.?window|maximum context|prompt is too long|too many (input )?tokens|input is too long`)
	noPictures = regexp.MustCompile(`(?i)image|vision|multi.?modal|picture`)
)

// Refused makes the error for an answer that is no reply.
func (s Service) Refused(a Answer) *subagent.ModelError {
	e := &subagent.ModelError{RetryAfter: retryAfter(a.Header)}
	said := s.clean(a.Message)
	switch {
	case a.Status == http.StatusUnauthorized:
		e.Fault = s.fault(fault.Denied, "refuses the key: check subagent.model.api_key")
	case a.Status == http.StatusForbidden:
		e.Fault = s.fault(fault.Denied, "does not allow this key to use the model "+strconv.Quote(s.Model)+said)
	case a.Status == http.StatusPaymentRequired || a.Code == "insufficient_quota":
		e.Fault = s.fault(fault.Denied, "has no credit left for this key: check the account's billing")
	case a.Status == http.StatusRequestEntityTooLarge, tooLong.MatchString(a.Code + " " + a.Message):
		e.Failure = subagent.TooLong
		e.Fault = s.fault(fault.ReplyTooBig, "can't read that much with the model "+strconv.Quote(s.Model)+": use one with a larger context")
	case a.Pictures && a.Status < 500 && a.Status != http.StatusTooManyRequests && noPictures.MatchString(a.Message):
		e.Failure = subagent.NoPictures
		e.Fault = s.fault(fault.Unsupported, "takes no pictures with the model "+strconv.Quote(s.Model)+said)
	case a.Status == http.StatusNotFound || a.Status == http.StatusMethodNotAllowed:
		e.Fault = s.fault(fault.ConfigInvalid, "knows no model "+strconv.Quote(s.Model)+", or nothing is at this address: check subagent.model.model and base_url"+said)
	case a.Status == http.StatusTooManyRequests:
		e.Failure = subagent.Transient
		e.Fault = s.fault(fault.EndpointUnreachable, "is asked too often (rate limit): try again later"+said)
	case a.Status == http.StatusRequestTimeout, a.Status == http.StatusConflict, a.Status == http.StatusTooEarly, a.Status >= 500:
		e.Failure = subagent.Transient
		e.Fault = s.fault(fault.EndpointUnreachable, "fails at the moment (HTTP "+strconv.Itoa(a.Status)+"): try again later"+said)
	default:
		e.Fault = s.fault(fault.Unsupported, "does not take the request (HTTP "+strconv.Itoa(a.Status)+")"+said)
	}
	if a.Status != 0 {
		e.Fault = e.Fault.With("status", a.Status)
	}
	return e
}

// Failed makes the error for a request that got no answer, or not all of one.
// cause is that of the context from Watch, begun says that a reply had begun.
func (s Service) Failed(err, cause error, begun bool) *subagent.ModelError {
	var syntax *json.SyntaxError
	switch {
	case errors.Is(cause, ErrStalled):
		return s.Cut(cause)
	case errors.Is(err, ErrRedirect):
		f := fault.Wrap(err, fault.ConfigInvalid, "%s", s.sentence("answers with a redirect, which is not followed: check subagent.model.base_url"))
		return &subagent.ModelError{Fault: s.named(f)}
	case begun:
		return s.Cut(err)
	case errors.As(err, &syntax):
		return s.Odd(err)
	}
	return s.unreachable(err)
}

// unreachable makes the error for a service to which nothing gets through.
func (s Service) unreachable(err error) *subagent.ModelError {
	f := fault.Wrap(err, fault.EndpointUnreachable, "%s", s.sentence("can't be reached: check subagent.model.base_url and that the service runs"))
	return &subagent.ModelError{Failure: subagent.Transient, Fault: s.named(f)}
}

// Cut makes the error for a reply that ended before it was whole.
func (s Service) Cut(err error) *subagent.ModelError {
	f := fault.Wrap(err, fault.EndpointUnreachable, "%s", s.sentence("broke off in the middle of a reply: try again later"))
	return &subagent.ModelError{Failure: subagent.Transient, Fault: s.named(f), Spent: true}
}

// Odd makes the error for a reply that is not in the protocol.
func (s Service) Odd(err error) *subagent.ModelError {
	f := fault.Wrap(err, fault.ConfigInvalid, "%s", s.sentence("answers in another protocol: check subagent.model.provider and base_url"))
	return &subagent.ModelError{Fault: s.named(f)}
}

func (s Service) fault(code fault.Code, what string) *fault.Error {
	return s.named(fault.New(code, "%s", s.sentence(what)))
}

func (s Service) named(f *fault.Error) *fault.Error {
	return f.With("provider", s.Provider).With("model", s.Model)
}

func (s Service) sentence(what string) string {
	return "The model service " + s.host() + " " + strings.TrimSuffix(what, ".") + "."
}

// host is the address without what may be secret in it.
func (s Service) host() string {
	u, err := url.Parse(s.BaseURL)
	if err != nil || u.Host == "" {
		return s.Provider
	}
	return u.Scheme + "://" + u.Host
}

// saidBytes bounds what is quoted of a service's message.
const saidBytes = 300

// clean makes a service's message fit to be quoted.
func (s Service) clean(message string) string {
	message = strings.Join(strings.Fields(message), " ")
	if s.Key != "" {
		message = strings.ReplaceAll(message, s.Key, "[redacted]")
	}
	if message == "" {
		return ""
	}
	if len(message) > saidBytes {
		message = strings.ToValidUTF8(message[:saidBytes], "") + "…"
	}
	return " (it says: " + message + ")"
}

// retryAfter reads the pause that a service asks for: seconds, or a date.
func retryAfter(h http.Header) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return time.Duration(min(ms, 1e9) * float64(time.Millisecond))
	}
	v := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(v, 64); err == nil && s > 0 {
		return time.Duration(min(s, 1e6) * float64(time.Second))
	}
	if at, err := http.ParseTime(v); err == nil {
		return max(time.Until(at), 0)
	}
	return 0
}
