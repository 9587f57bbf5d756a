package endpoint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"cdphost/sdk/fault"
)

const testKey = "bb_live_sesame"

// recorded is one request that the stand-in for the API got.
type recorded struct {
	method, path, key, contentType, body string
}

// browserbaseAPI answers each request with answer and records it.
func browserbaseAPI(t *testing.T, rental Rental, answer func(n int, r recorded, w http.ResponseWriter)) (*BrowserbaseProvider, chan recorded) {
	t.Helper()
	got := make(chan recorded, 16)
	var n atomic.Int32
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		one := recorded{r.Method, r.URL.Path, r.Header.Get("X-BB-API-Key"), r.Header.Get("Content-Type"), string(body)}
		got <- one
		w.Header().Set("Content-Type", "application/json")
		answer(int(n.Add(1)), one, w)
	})
	b, err := NewBrowserbase(BrowserbaseOptions{APIKey: testKey, BaseURL: s.URL, Rental: rental})
	if err != nil {
		t.Fatal(err)
	}
	b.pause = time.Millisecond
	return b, got
}

const createdSession = `{"id": "s-1", "status": "RUNNING", "region": "us-west-2", "keepAlive": true, "projectId": "p-1",
	"expiresAt": "2030-01-02T03:04:05Z", "connectUrl": "wss://connect.browserbase.test/?signingKey=sesame"}`

func answerWith(status int, body string, header ...string) func(int, recorded, http.ResponseWriter) {
	return func(_ int, _ recorded, w http.ResponseWriter) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		_, _ = fmt.Fprint(w, body)
	}
}

func TestBrowserbaseStart(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		rental Rental
		want   string
	}{
		{"nothing asked for", Rental{}, `{}`},
		{"everything", Rental{
			ProjectID: "p-1", Region: "eu-central-1", KeepAlive: true, Timeout: 90*time.Second + 1,
			Proxies: json.RawMessage(`[{"type":"browserbase"}]`), Settings: json.RawMessage(`{"blockAds":true}`),
		}, `{"projectId":"p-1","region":"eu-central-1","keepAlive":true,"proxies":[{"type":"browserbase"}],"timeout":91,"browserSettings":{"blockAds":true}}`},
		{"default proxies", Rental{Proxies: json.RawMessage(`true`)}, `{"proxies":true}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			b, got := browserbaseAPI(t, tc.rental, answerWith(200, createdSession))
			s, err := b.Start(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if want := (recorded{"POST", "/v1/sessions", testKey, "application/json", tc.want}); want != <-got {
				t.Errorf("sent something else than %+v", want)
			}
			want := Session{
				ID: "s-1", URL: mustParse(t, "wss://connect.browserbase.test/?signingKey=sesame").Direct(),
				ExpiresAt: time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC), KeepAlive: true,
			}
			if *s != want {
				t.Errorf("got %+v", *s)
			}
			if text := fmt.Sprintf("%+v %#v %+v %#v", *s, *s, b, b); strings.Contains(text, "sesame") {
				t.Errorf("shows a secret: %s", text)
			}
		})
	}
}

func TestBrowserbaseGet(t *testing.T) {
	t.Parallel()
	b, got := browserbaseAPI(t, Rental{}, answerWith(200, `{"id": "s/1", "status": "TIMED_OUT", "region": "us-east-1", "expiresAt": "2030-01-02T03:04:05Z"}`))
	s, err := b.Get(t.Context(), "s/1")
	want := SessionState{ID: "s/1", Status: "TIMED_OUT", Region: "us-east-1", ExpiresAt: time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)}
	if err != nil || *s != want {
		t.Errorf("got %+v, %v", s, err)
	}
	if r := <-got; r != (recorded{"GET", "/v1/sessions/s/1", testKey, "", ""}) {
		t.Errorf("sent %+v", r)
	}
}

func TestBrowserbaseStop(t *testing.T) {
	t.Parallel()
	failTimes := func(times, status int) func(int, recorded, http.ResponseWriter) {
		return func(n int, r recorded, w http.ResponseWriter) {
			if n <= times {
				w.WriteHeader(status)
				return
			}
			answerWith(200, `{"id": "s-1", "status": "COMPLETED"}`)(n, r, w)
		}
	}
	for _, tc := range []struct {
		name   string
		answer func(int, recorded, http.ResponseWriter)
		calls  int
		code   fault.Code
	}{
		{"at once", failTimes(0, 0), 1, ""},
		{"after two failures", failTimes(2, 503), 3, ""},
		{"after a limit", failTimes(1, 429), 2, ""},
		{"never", failTimes(9, 500), 3, fault.EndpointUnreachable},
		{"ended already", failTimes(9, 404), 1, ""},
		{"gone already", failTimes(9, 410), 1, ""},
		{"wrong key", failTimes(9, 401), 1, fault.EndpointUnreachable},
		{"rejected", failTimes(9, 400), 1, fault.InvalidArgument},
		{"answer without a body", answerWith(204, ""), 1, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			b, got := browserbaseAPI(t, Rental{ProjectID: "p-1"}, tc.answer)
			if err := b.Stop(t.Context(), "s-1"); fault.CodeOf(err) != tc.code {
				t.Errorf("got %v", err)
			}
			if len(got) != tc.calls {
				t.Errorf("%d calls", len(got))
			}
			want := recorded{"POST", "/v1/sessions/s-1", testKey, "application/json", `{"projectId":"p-1","status":"REQUEST_RELEASE"}`}
			if r := <-got; r != want {
				t.Errorf("sent %+v", r)
			}
		})
	}
}

func TestBrowserbaseErrors(t *testing.T) {
	t.Parallel()
	in7s := time.Now().Add(6500 * time.Millisecond).UTC().Format(http.TimeFormat)
	for _, tc := range []struct {
		name       string
		answer     func(int, recorded, http.ResponseWriter)
		code       fault.Code
		reason     Reason
		retryAfter bool
		says       string
	}{
		{"wrong key", answerWith(401, `{"statusCode":401,"error":"Unauthorized","message":"bad key `+testKey+`"}`), fault.EndpointUnreachable, Unauthorized, false, "BROWSERBASE_API_KEY and the project it belongs to. It says: bad key ***"},
		{"forbidden", answerWith(403, `{}`), fault.EndpointUnreachable, Unauthorized, false, "HTTP 403"},
		{"no money", answerWith(402, `{"message":"minutes\nlimit"}`), fault.EndpointUnreachable, PaymentRequired, false, "asks for payment (HTTP 402): the account has no browser time left, or its plan lacks what was asked for. It says: minutes limit"},
		{"limit", answerWith(429, `{}`, "Retry-After", "42"), fault.EndpointUnreachable, RateLimited, true, "try again in 42 s"},
		{"limit with a date", answerWith(429, `{}`, "Retry-After", in7s), fault.EndpointUnreachable, RateLimited, true, "try again in "},
		{"limit without a time", answerWith(429, `{}`), fault.EndpointUnreachable, RateLimited, false, "in a minute"},
		{"limit with nonsense", answerWith(429, `{}`, "Retry-After", "soon"), fault.EndpointUnreachable, RateLimited, false, "in a minute"},
		{"rejected", answerWith(400, `{"message":"timeout must be >= 60, see https://docs.test/?k=sesame"}`), fault.InvalidArgument, Rejected, false, "It says: timeout must be >= 60, see https://docs.test/?k=***"},
		{"unknown address", answerWith(404, `{}`), fault.InvalidArgument, Rejected, false, "HTTP 404"},
		{"failing", answerWith(500, `<html>`), fault.EndpointUnreachable, Failing, false, "try again later"},
		{"bad gateway", answerWith(502, ``), fault.EndpointUnreachable, Failing, false, "HTTP 502"},
		{"a web page", answerWith(200, `<html>`), fault.EndpointUnreachable, Malformed, false, "base_url"},
		{"another API", answerWith(200, `[]`), fault.EndpointUnreachable, Malformed, false, "base_url"},
		{"nothing", answerWith(200, ``), fault.EndpointUnreachable, Malformed, false, "base_url"},
		{"redirect", answerWith(307, ``, "Location", "http://thief.test/"), fault.EndpointUnreachable, Malformed, false, "HTTP 307"},
		{"endless", answerWith(200, strings.Repeat(" ", restLimit+1)), fault.EndpointUnreachable, Unreachable, false, "longer"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			b, got := browserbaseAPI(t, Rental{}, tc.answer)
			s, err := b.Start(t.Context())
			var f *fault.Error
			if s != nil || !errors.As(err, &f) {
				t.Fatalf("got %v, %v", s, err)
			}
			_, has := f.Details["retry_after_s"].(int)
			if f.Code != tc.code || f.Details["reason"] != string(tc.reason) || f.Details["provider"] != "browserbase" || has != tc.retryAfter {
				t.Errorf("got %s %v", f.Code, f.Details)
			}
			if !strings.Contains(err.Error(), tc.says) || strings.Contains(err.Error(), "\n") || strings.Contains(fmt.Sprintf("%+v", f), "sesame") {
				t.Errorf("says %q", err)
			}
			if len(got) != 1 {
				t.Errorf("%d calls: a creation is never repeated", len(got))
			}
		})
	}
}

// A session that the caller can't use is given back.
func TestBrowserbaseGivesBackWhatItCantUse(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"no address":          `{"id": "s-1"}`,
		"another scheme":      `{"id": "s-1", "connectUrl": "https://a.test"}`,
		"not an address":      `{"id": "s-1", "connectUrl": "wss://a.test/%zz?key=sesame"}`,
		"another shape later": `{"id": "s-1", "connectUrl": "wss://a.test", "expiresAt": "soon"}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, got := browserbaseAPI(t, Rental{}, answerWith(200, body))
			_, err := b.Start(t.Context())
			var f *fault.Error
			if !errors.As(err, &f) || f.Details["reason"] != string(Malformed) || strings.Contains(err.Error(), "sesame") {
				t.Errorf("got %v", err)
			}
			<-got
			if r := <-got; r.path != "/v1/sessions/s-1" || !strings.Contains(r.body, "REQUEST_RELEASE") {
				t.Errorf("sent %+v", r)
			}
		})
	}
}

// The answer that comes after the caller left names a session, which is given
// back.
func TestBrowserbaseCancelledStart(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	b, got := browserbaseAPI(t, Rental{}, func(n int, r recorded, w http.ResponseWriter) {
		cancel()
		<-ctx.Done()
		answerWith(200, createdSession)(n, r, w)
	})
	s, err := b.Start(ctx)
	if s != nil || !errors.Is(err, fault.Aborted) {
		t.Errorf("got %v, %v", s, err)
	}
	<-got
	if r := <-got; r.path != "/v1/sessions/s-1" {
		t.Errorf("sent %+v", r)
	}
}

func TestBrowserbaseDeadline(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	b, _ := browserbaseAPI(t, Rental{}, func(int, recorded, http.ResponseWriter) { <-release })
	defer close(release)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := b.Get(ctx, "s-1"); !errors.Is(err, fault.Timeout) {
		t.Errorf("got %v", err)
	}
}

func TestBrowserbaseUnreachable(t *testing.T) {
	t.Parallel()
	b, err := NewBrowserbase(BrowserbaseOptions{APIKey: testKey, BaseURL: "http://" + closedPort(t)})
	if err != nil {
		t.Fatal(err)
	}
	b.pause = time.Millisecond
	_, startErr := b.Start(t.Context())
	for _, err := range []error{startErr, b.Stop(t.Context(), "s-1")} {
		var f *fault.Error
		if !errors.As(err, &f) || f.Code != fault.EndpointUnreachable || f.Details["reason"] != string(Unreachable) || !strings.Contains(err.Error(), "refused") {
			t.Errorf("got %v", err)
		}
	}
}

func TestNewBrowserbase(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		o    BrowserbaseOptions
		says string
	}{
		{"default", BrowserbaseOptions{APIKey: testKey}, ""},
		{"with version", BrowserbaseOptions{APIKey: testKey, BaseURL: "https://api.test/v1/"}, ""},
		{"this machine", BrowserbaseOptions{APIKey: testKey, BaseURL: "http://127.0.0.1:1"}, ""},
		{"no key", BrowserbaseOptions{}, "BROWSERBASE_API_KEY"},
		{"without TLS", BrowserbaseOptions{APIKey: testKey, BaseURL: "http://api.test"}, "https"},
		{"no URL", BrowserbaseOptions{APIKey: testKey, BaseURL: "api.test"}, "base_url"},
		{"another scheme", BrowserbaseOptions{APIKey: testKey, BaseURL: "ftp://api.test"}, "base_url"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			b, err := NewBrowserbase(tc.o)
			if tc.says == "" {
				if err != nil || strings.HasSuffix(b.api.base.String(), "v1") || strings.HasSuffix(b.api.base.String(), "/") {
					t.Errorf("got %v", err)
				}
				return
			}
			if !errors.Is(err, fault.ConfigInvalid) || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("got %v", err)
			}
		})
	}
}
