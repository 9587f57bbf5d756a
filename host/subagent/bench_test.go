package subagent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"cdphost/host/subagent"
	"cdphost/host/subagent/anthropic"
	"cdphost/host/subagent/modeltest"
	"cdphost/host/subagent/openai"
)

const key = "sk-test-0123456789abcdef"

// protocols are the two ways to the scripted model; every test of the loop that
// depends on the wire runs over both.
var protocols = map[string]func(url string, t http.RoundTripper) subagent.Model{
	"openai": func(url string, t http.RoundTripper) subagent.Model {
		return openai.New(openai.Options{BaseURL: url, Model: "scripted", APIKey: key, Transport: t})
	},
	"anthropic": func(url string, t http.RoundTripper) subagent.Model {
		return anthropic.New(anthropic.Options{BaseURL: url, Model: "scripted", APIKey: key, Transport: t})
	},
}

// overBoth runs a test over each protocol.
func overBoth(t *testing.T, test func(t *testing.T, model func(url string) subagent.Model)) {
	t.Helper()
	for name, dial := range protocols {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, func(url string) subagent.Model { return dial(url, transport(t)) })
		})
	}
}

// transport is one whose connections end with the test.
func transport(t *testing.T) http.RoundTripper {
	t.Helper()
	tr := &http.Transport{}
	t.Cleanup(tr.CloseIdleConnections)
	return tr
}

// model is the scripted model where the protocol does not matter.
func model(t *testing.T, s *modeltest.Server) subagent.Model {
	t.Helper()
	return protocols["openai"](s.URL, transport(t))
}

// box is a browser of one page, whose replies the test may set.
type box struct {
	mu      sync.Mutex
	page    subagent.Page
	dialogs []subagent.Dialog
	calls   []string
	looks   int
	// on answers an action by its type, or "browser_dialog"; one without is ok.
	on map[string]func(ctx context.Context, b *box, args string) *subagent.Output
	// text is what an extract shows.
	text func(n int) string
}

func newBox() *box {
	return &box{on: map[string]func(context.Context, *box, string) *subagent.Output{}}
}

const browserSchema = `{"type":"object","required":["type"],"properties":{"task_id":{"type":"string"}},"oneOf":[
	{"type":"object","required":["type","url"],"properties":{"type":{"const":"navigate"},"url":{"type":"string"},"tabId":{"type":"string"},"task_id":{}}},
	{"type":"object","required":["type"],"properties":{"type":{"const":"click"},"uid":{"type":"string"},"tabId":{"type":"string"},"task_id":{}}},
	{"type":"object","required":["type"],"properties":{"type":{"const":"extract"},"tabId":{"type":"string"},"cursor":{"type":"string"},"task_id":{}}},
	{"type":"object","required":["type"],"properties":{"type":{"const":"screenshot"},"task_id":{}}}]}`

func (b *box) Tools() []subagent.Tool {
	return []subagent.Tool{
		{Name: "browser", Description: "One action.", Schema: json.RawMessage(browserSchema)},
		{Name: "browser_dialog", Description: "Answers.", Schema: json.RawMessage(`{"type":"object","properties":{"action":{"type":"string"}}}`)},
	}
}

func (b *box) Call(ctx context.Context, name string, args json.RawMessage) (*subagent.Output, error) {
	var in struct{ Type, TabID string }
	if err := json.Unmarshal(args, &in); err != nil {
		return nil, err
	}
	kind := in.Type
	if name == "browser_dialog" {
		kind = name
	}
	b.mu.Lock()
	b.calls = append(b.calls, string(args))
	on := b.on[kind]
	b.mu.Unlock()
	if on != nil {
		return on(ctx, b, string(args)), nil
	}
	if kind == "extract" {
		return b.extract(), nil
	}
	return ok(kind, `{"done":true}`), nil
}

func (b *box) extract() *subagent.Output {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.looks++
	text := fmt.Sprintf("view %d", b.looks)
	if b.text != nil {
		text = b.text(b.looks)
	}
	return ok("extract", `{"url":"http://shop.test/","title":"Shop","version":"v`+fmt.Sprint(b.looks)+
		`","elements":"e1 button \"Buy\"","element_count":1,"markdown":`+quoted(text)+`,"truncated":false}`)
}

func quoted(s string) string {
	out, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(out)
}

func ok(action, result string) *subagent.Output {
	return &subagent.Output{Reply: json.RawMessage(`{"ok":true,"action":"` + action + `","tabId":"t1","result":` + result + `}`)}
}

func failure(action, code string) *subagent.Output {
	return &subagent.Output{Failed: true, Reply: json.RawMessage(
		`{"ok":false,"action":"` + action + `","tabId":"t1","error":{"code":"` + code + `","message":"as it is"}}`)}
}

// acted lists the calls that are no looks of the host's own.
func (b *box) acted() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []string
	for _, c := range b.calls {
		if c != `{"tabId":"t1","type":"extract"}` && c != `{"type":"extract"}` {
			out = append(out, c)
		}
	}
	return out
}

func (b *box) Dialogs() []subagent.Dialog {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.dialogs
}

func (b *box) Page() subagent.Page {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.page
}

// job is a job on a box, with the rest left to the test.
func job(m subagent.Model, b subagent.Toolbox) subagent.Job {
	return subagent.Job{
		Caller: "local", Task: "default", Description: "buy", Prompt: "Buy the blue one.", Model: m,
		Budget: subagent.Budget{Actions: 40},
		Open:   func(context.Context) (subagent.Toolbox, error) { return b, nil },
	}
}

// naps records the pauses before a model is asked again, and takes none.
type naps struct {
	mu  sync.Mutex
	all []time.Duration
}

func (n *naps) sleep(ctx context.Context, d time.Duration) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.all = append(n.all, d)
	return ctx.Err()
}

func run(t *testing.T, j subagent.Job) *subagent.Result {
	t.Helper()
	res, err := subagent.New(subagent.Options{Sleep: (&naps{}).sleep}).Run(t.Context(), j)
	if err != nil {
		t.Fatalf("Run: %v", err)
	}
	return res
}
