package tool_test

import (
	"context"
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"cdphost/host/capture"
	"cdphost/host/cdp/cdptest"
	"cdphost/host/endpoint"
	"cdphost/host/frame"
	"cdphost/host/subagent"
	"cdphost/host/subagent/anthropic"
	"cdphost/host/subagent/modeltest"
	"cdphost/host/subagent/openai"
	"cdphost/host/supervisor"
	"cdphost/host/tool"
	"cdphost/sdk/fault"
)

const shop = `<title>Shop</title><h1>Shoes</h1>
<button onclick="document.getElementById('out').textContent = confirm('Place the order for 7?') ? 'Order 4711 placed' : 'Cancelled'">Buy the blue one</button>
<p id=out></p>`

type nowhere struct{}

func (nowhere) Route(context.Context, capture.RouteRequest) (capture.Route, error) {
	return capture.Route{}, fault.New(fault.RouterUnavailable, "No router here.")
}

// realTask is the tool task on a real browser, with the tools that agents have.
func realTask(t *testing.T, model subagent.Model) (*tool.Tool, *tool.Artifacts) {
	t.Helper()
	browser, err := endpoint.ParseURL(cdptest.Chrome(t).WSURL)
	if err != nil {
		t.Fatal(err)
	}
	registry := supervisor.NewRegistry(supervisor.Options{})
	tasks := tool.NewLocal(tool.LocalOptions{
		Registry: registry, Captures: capture.NewManager(registry),
		Plan: func(toolset string) (tool.Plan, error) {
			return tool.Plan{
				Spec:     endpoint.Spec{Kind: endpoint.CDP, URL: browser},
				Settings: supervisor.Settings{Toolset: toolset},
				Holder:   capture.Holder{Name: "agent", Trusted: true, KeepsWhatItMakes: true},
			}, nil
		},
		Join: func(string) (endpoint.Spec, error) { return endpoint.Spec{}, fault.New(fault.Unsupported, "Not here.") },
		Idle: func() time.Duration { return 0 },
	})
	t.Cleanup(func() {
		registry.StopAll(context.Background())
		tasks.Close()
	})
	kept := tool.NewArtifacts(8 << 20)
	return tool.TaskTool(tool.TaskOptions{
		Kit: &tool.Kit{
			Directory: tasks, Router: nowhere{}, FrameTree: func() frame.Limits { return frame.Limits{} },
		},
		Agent: subagent.New(subagent.Options{}), Artifacts: kept,
		Plan: func() (tool.TaskPlan, error) {
			return tool.TaskPlan{Model: model, Budget: subagent.Budget{Actions: 20, Time: time.Minute}}, nil
		},
	}), kept
}

var buyButton = regexp.MustCompile(`(e\d+) button "Buy the blue one"`)

// shopper reads the page as a model does, and leaves the dialog open when told.
func shopper(t *testing.T, url string, answer bool) func(*modeltest.Request) modeltest.Turn {
	return func(r *modeltest.Request) modeltest.Turn {
		last := r.Last()
		switch {
		case r.Number == 1:
			return modeltest.Browse(`{"type":"navigate","url":"` + url + `"}`)
		case strings.Contains(last, "error blocked_by_dialog") && !answer:
			return modeltest.Complete("May I pay 7?")
		case strings.Contains(last, "error blocked_by_dialog"):
			return modeltest.Use("browser_dialog", `{"action":"accept"}`)
		case r.Images() > 0:
			return modeltest.Complete("Ordered: 4711, see screenshot-1.png.")
		case strings.Contains(last, "Order 4711 placed"):
			return modeltest.Browse(`{"type":"screenshot"}`)
		}
		m := buyButton.FindStringSubmatch(last)
		if m == nil {
			t.Errorf("request %d: no button in %s", r.Number, last)
			return modeltest.Turn{Status: http.StatusTeapot}
		}
		return modeltest.Browse(`{"type":"click","uid":"` + m[1] + `"}`)
	}
}

type outcome struct {
	Summary   string
	Status    string
	Actions   int
	Artifacts []struct{ URI, Name string }
	Pending   []struct{ ID, Message string } `json:"pending_dialogs"`
}

func TestTaskOnChrome(t *testing.T) {
	t.Parallel()
	models := map[string]func(url string, tr http.RoundTripper) subagent.Model{
		"openai": func(url string, tr http.RoundTripper) subagent.Model {
			return openai.New(openai.Options{BaseURL: url, Model: "scripted", Transport: tr})
		},
		"anthropic": func(url string, tr http.RoundTripper) subagent.Model {
			return anthropic.New(anthropic.Options{BaseURL: url, Model: "scripted", Transport: tr})
		},
	}
	for name, dial := range models {
		t.Run(name, func(t *testing.T) {
			tr := &http.Transport{}
			t.Cleanup(tr.CloseIdleConnections)
			site := cdptest.Site(t, cdptest.Hosts{"*": cdptest.Paths{"/": shop}})
			answering := modeltest.Play(t, shopper(t, site.URL("a.test", "/"), true))
			tl, kept := realTask(t, dial(answering.URL, tr))

			got := perform(t, tl)
			if got.Status != "completed" || got.Summary != "Ordered: 4711, see screenshot-1.png." || got.Actions != 4 || len(got.Pending) != 0 {
				t.Errorf("outcome = %+v", got)
			}
			picture, mime, err := kept.Read(t.Context(), "local", got.Artifacts[0].URI)
			if err != nil || mime != "image/png" || len(picture) < 1000 {
				t.Errorf("the screenshot has %d bytes, %s, %v", len(picture), mime, err)
			}
		})
	}
	t.Run("hands the dialog up", func(t *testing.T) {
		tr := &http.Transport{}
		t.Cleanup(tr.CloseIdleConnections)
		site := cdptest.Site(t, cdptest.Hosts{"*": cdptest.Paths{"/": shop}})
		leaving := modeltest.Play(t, shopper(t, site.URL("a.test", "/"), false))
		tl, _ := realTask(t, models["openai"](leaving.URL, tr))

		got := perform(t, tl)
		if len(got.Pending) != 1 || got.Pending[0].Message != "Place the order for 7?" {
			t.Fatalf("outcome = %+v", got)
		}
		id := got.Pending[0].ID
		if !strings.Contains(got.Summary, "May I pay 7?") || !strings.Contains(got.Summary, "confirm dialog "+id) || got.Artifacts[0].Name != "dialog-"+id+".json" {
			t.Errorf("outcome = %+v", got)
		}
	})
}

func perform(t *testing.T, tl *tool.Tool) outcome {
	t.Helper()
	res, err := tl.Handler(t.Context(), &tool.Call{
		Caller: "local", Toolset: &tool.Toolset{Name: "core"},
		Args: json.RawMessage(`{"subagent_type":"browser","description":"buy","prompt":"Buy the blue one and tell the order's number."}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(res.Structured)
	if err != nil {
		t.Fatal(err)
	}
	var got outcome
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	return got
}
