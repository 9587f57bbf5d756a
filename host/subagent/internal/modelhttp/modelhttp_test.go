package modelhttp

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"cdphost/host/subagent"
	"cdphost/sdk/fault"
)

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		header http.Header
		want   func(time.Duration) bool
	}{
		{"none", http.Header{}, func(d time.Duration) bool { return d == 0 }},
		{"seconds", http.Header{"Retry-After": {"3"}}, func(d time.Duration) bool { return d == 3*time.Second }},
		{"part of one", http.Header{"Retry-After": {"0.5"}}, func(d time.Duration) bool { return d == 500*time.Millisecond }},
		{"milliseconds win", http.Header{"Retry-After-Ms": {"20"}, "Retry-After": {"3"}}, func(d time.Duration) bool { return d == 20*time.Millisecond }},
		{"a date", http.Header{"Retry-After": {time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)}}, func(d time.Duration) bool { return d > 50*time.Minute && d <= time.Hour }},
		{"a date gone by", http.Header{"Retry-After": {time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat)}}, func(d time.Duration) bool { return d == 0 }},
		{"nonsense", http.Header{"Retry-After": {"soon"}}, func(d time.Duration) bool { return d == 0 }},
		{"negative", http.Header{"Retry-After": {"-5"}}, func(d time.Duration) bool { return d == 0 }},
		{"beyond all measure", http.Header{"Retry-After": {"1e300"}}, func(d time.Duration) bool { return d > 24*time.Hour }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if got := retryAfter(tc.header); !tc.want(got) {
				t.Errorf("retryAfter = %v", got)
			}
		})
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	s := Service{Provider: "openai", Model: "m", BaseURL: "https://user:secret@models.test:8443/v1?key=secret", Key: "sk-0123456789"}
	for _, tc := range []struct {
		name    string
		answer  Answer
		code    fault.Code
		failure subagent.Failure
	}{
		{"too long by its code", Answer{Status: 400, Code: "context_length_exceeded"}, fault.ReplyTooBig, subagent.TooLong},
		{"too long by its text", Answer{Status: 400, Message: "This model's maximum context length is 8192 tokens"}, fault.ReplyTooBig, subagent.TooLong},
		{"too big a body", Answer{Status: 413}, fault.ReplyTooBig, subagent.TooLong},
		{"no pictures", Answer{Status: 404, Message: "No endpoints found that support image input", Pictures: true}, fault.Unsupported, subagent.NoPictures},
		{"a word about images, but none was sent", Answer{Status: 404, Message: "no such image"}, fault.ConfigInvalid, subagent.Permanent},
		{"busy", Answer{Status: 529}, fault.EndpointUnreachable, subagent.Transient},
		{"the key in its words", Answer{Status: 400, Message: "bad key sk-0123456789"}, fault.Unsupported, subagent.Permanent},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			e := s.Refused(tc.answer)
			if e.Fault.Code != tc.code || e.Failure != tc.failure {
				t.Errorf("%v, failure %d", e, e.Failure)
			}
			for _, secret := range []string{"secret", "sk-0123456789", "user:"} {
				if strings.Contains(e.Error(), secret) {
					t.Errorf("%q is told: %v", secret, e)
				}
			}
			if !strings.Contains(e.Error(), "https://models.test:8443") {
				t.Errorf("it does not say which service: %v", e)
			}
		})
	}
}

func TestWatch(t *testing.T) {
	t.Parallel()
	ctx, alive, stop := Watch(t.Context(), time.Millisecond)
	defer stop()
	alive()
	<-ctx.Done()
	if !errors.Is(context.Cause(ctx), ErrStalled) {
		t.Errorf("cause = %v", context.Cause(ctx))
	}
}
