package subagent_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"cdphost/host/subagent"
	"cdphost/host/subagent/modeltest"
	"cdphost/sdk/fault"
)

// failing answers an action with an error code.
func failing(code string) func(context.Context, *box, string) *subagent.Output {
	return func(context.Context, *box, string) *subagent.Output { return failure("click", code) }
}

func TestAsksAgain(t *testing.T) {
	t.Parallel()
	overBoth(t, func(t *testing.T, model func(string) subagent.Model) {
		click := modeltest.Browse(`{"type":"click","uid":"e1"}`)
		cut, unfinished := click, click
		cut.Cut, unfinished.Unfinished = true, true
		s := modeltest.New(t,
			modeltest.Turn{Status: 429, Header: http.Header{"Retry-After": {"7"}}},
			modeltest.Turn{Status: 503},
			cut, unfinished,
			modeltest.Turn{Text: "I begin with", Broken: true, Code: "overloaded_error", Message: "busy"},
			click,
			modeltest.Turn{Status: 529},
			modeltest.Complete("Done."))
		b, n := newBox(), &naps{}
		res, err := subagent.New(subagent.Options{Sleep: n.sleep}).Run(t.Context(), job(model(s.URL), b))
		if err != nil || res.Status != subagent.Completed {
			t.Fatalf("Run = %+v, %v", res, err)
		}
		if got := b.acted(); len(got) != 1 {
			t.Errorf("a cut reply was acted on: %q", got)
		}
		if len(n.all) != 6 || n.all[0] < 7*time.Second || n.all[0] > 8*time.Second {
			t.Errorf("pauses = %v", n.all)
		}
		for i, d := range n.all[1:] {
			if d <= 0 || d > 24*time.Second {
				t.Errorf("pause %d = %v", i+1, d)
			}
		}
	})
}

func TestGivesUp(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name  string
		turn  modeltest.Turn
		asked int
		code  fault.Code
		says  string
	}{
		{"wrong key", modeltest.Turn{Status: 401, Code: "invalid_api_key", Message: "Incorrect API key " + key}, 1, fault.Denied, "refuses the key"},
		{"not allowed", modeltest.Turn{Status: 403}, 1, fault.Denied, "does not allow this key"},
		{"no credit", modeltest.Turn{Status: 429, Code: "insufficient_quota"}, 0, fault.Denied, "no credit"},
		{"no such model", modeltest.Turn{Status: 404, Message: "no model " + key}, 1, fault.ConfigInvalid, `knows no model "scripted"`},
		{"redirect", modeltest.Turn{Status: 302, Header: http.Header{"Location": {"http://evil.test/"}}}, 1, fault.ConfigInvalid, "redirect"},
		{"bad request", modeltest.Turn{Status: 400, Message: "unknown parameter"}, 1, fault.Unsupported, "unknown parameter"},
		{"rate limit", modeltest.Turn{Status: 429}, 6, fault.EndpointUnreachable, "too often"},
		{"far too long a pause", modeltest.Turn{Status: 429, Header: http.Header{"Retry-After": {"3600"}}}, 1, fault.EndpointUnreachable, "too often"},
		{"down", modeltest.Turn{Status: 502, Message: "bad gateway"}, 6, fault.EndpointUnreachable, "HTTP 502"},
		{"always cut", modeltest.Turn{Text: "I would like to say something", Cut: true}, 6, fault.EndpointUnreachable, "broke off"},
		{"another protocol", modeltest.Turn{Page: true}, 1, fault.ConfigInvalid, "another protocol"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			overBoth(t, func(t *testing.T, model func(string) subagent.Model) {
				s := modeltest.Play(t, func(*modeltest.Request) modeltest.Turn { return tc.turn })
				res := run(t, job(model(s.URL), newBox()))
				if res.Status != subagent.Failed || fault.CodeOf(res.Error) != tc.code {
					t.Fatalf("result = %s, %v", res.Status, res.Error)
				}
				if !strings.Contains(res.Error.Message, tc.says) || !strings.Contains(res.Summary, tc.says) {
					t.Errorf("it says %q and %q", res.Error.Message, res.Summary)
				}
				if strings.Contains(res.Summary+fmt.Sprint(res.Error.Details), key) {
					t.Errorf("the key is told: %s", res.Summary)
				}
				if got := len(s.Requests()); tc.asked > 0 && got != tc.asked {
					t.Errorf("asked %d times, want %d", got, tc.asked)
				}
			})
		})
	}
}

func TestUnreachable(t *testing.T) {
	t.Parallel()
	overBoth(t, func(t *testing.T, model func(string) subagent.Model) {
		gone := httptest.NewServer(http.NotFoundHandler())
		gone.Close()
		res := run(t, job(model(gone.URL+"/v1"), newBox()))
		if fault.CodeOf(res.Error) != fault.EndpointUnreachable || !strings.Contains(res.Summary, "can't be reached") {
			t.Errorf("result = %q, %v", res.Summary, res.Error)
		}
	})
}

func TestMalformedCalls(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, tool, args, told string
	}{
		{"half JSON", "browser", `{"type":"click","uid":`, "not a JSON object"},
		{"a list", "browser", `["click"]`, "not a JSON object"},
		{"null", "browser", `null`, "not a JSON object"},
		{"unknown tool", "shell", `{"cmd":"ls"}`, `There is no tool "shell". The tools are browser, browser_dialog and complete.`},
		{"a name that no service takes", "browser click!", `{}`, "There is no tool"},
		{"no summary", "complete", `{"status":"completed"}`, "summary is missing"},
		{"an odd status", "complete", `{"status":"great","summary":"x"}`, `status must be`},
		{"half a completion", "complete", `{"summary":"x`, "not a JSON object"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			overBoth(t, func(t *testing.T, model func(string) subagent.Model) {
				s := modeltest.New(t, modeltest.Use(tc.tool, tc.args), modeltest.Complete("Done."))
				b := newBox()
				res := run(t, job(model(s.URL), b))
				if res.Status != subagent.Completed || len(b.acted()) != 0 || res.Actions != 0 {
					t.Errorf("result = %+v, actions %q", res, b.acted())
				}
				if last := s.Requests()[1].Last(); !strings.Contains(last, tc.told) {
					t.Errorf("the model was told %q", last)
				}
			})
		})
	}
}

func TestNonsenseIsBounded(t *testing.T) {
	t.Parallel()
	for name, turn := range map[string]modeltest.Turn{
		"malformed":    modeltest.Browse(`{`),
		"unknown tool": modeltest.Use("rm", `{}`),
		"only talk":    {Text: "Let me think about that."},
		"nothing":      {},
		"too long":     {Text: "On and on", Stop: "length"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			overBoth(t, func(t *testing.T, model func(string) subagent.Model) {
				s := modeltest.Play(t, func(*modeltest.Request) modeltest.Turn { return turn })
				res := run(t, job(model(s.URL), newBox()))
				if res.Status != subagent.Failed || res.Error != nil || len(s.Requests()) != 5 {
					t.Errorf("after %d requests: %+v", len(s.Requests()), res)
				}
			})
		})
	}
}

func TestRefusal(t *testing.T) {
	t.Parallel()
	overBoth(t, func(t *testing.T, model func(string) subagent.Model) {
		s := modeltest.New(t, modeltest.Turn{Text: "I won't.", Stop: "refused"})
		res := run(t, job(model(s.URL), newBox()))
		if res.Status != subagent.Failed || !strings.Contains(res.Summary, "refused") || !strings.Contains(res.Summary, "I won't.") {
			t.Errorf("result = %+v", res)
		}
	})
}

func TestReadsTooMuch(t *testing.T) {
	t.Parallel()
	overBoth(t, func(t *testing.T, model func(string) subagent.Model) {
		s := modeltest.Play(t, func(r *modeltest.Request) modeltest.Turn {
			switch {
			case r.Number <= 5:
				return modeltest.Browse(fmt.Sprintf(`{"type":"click","uid":"e%d"}`, r.Number))
			case len(r.Text()) > 8000:
				return modeltest.Turn{Status: 400, Code: "context_length_exceeded", Message: "prompt is too long"}
			}
			return modeltest.Complete("Done.")
		})
		b := newBox()
		b.text = func(n int) string { return strings.Repeat(fmt.Sprintf("line %d of it. ", n), 1000) }
		res := run(t, job(model(s.URL), b))
		if res.Status != subagent.Completed || len(s.Requests()) != 7 {
			t.Errorf("after %d requests: %+v", len(s.Requests()), res)
		}
	})
}

func TestBlindModel(t *testing.T) {
	t.Parallel()
	overBoth(t, func(t *testing.T, model func(string) subagent.Model) {
		s := modeltest.Play(t, func(r *modeltest.Request) modeltest.Turn {
			switch {
			case r.Images() > 0:
				return modeltest.Turn{Status: 400, Message: "this model does not support image input"}
			case len(r.Messages) == 1:
				return modeltest.Browse(`{"type":"screenshot"}`)
			}
			return modeltest.Complete("Done.")
		})
		b := newBox()
		b.on["screenshot"] = picture
		res := run(t, job(model(s.URL), b))
		if res.Status != subagent.Completed || len(s.Requests()) != 3 {
			t.Errorf("after %d requests: %+v", len(s.Requests()), res)
		}
	})
}

func picture(context.Context, *box, string) *subagent.Output {
	out := ok("screenshot", `{"width":10,"height":10}`)
	out.Images = []subagent.Image{{MIME: "image/png", Data: []byte("PNG")}}
	return out
}
