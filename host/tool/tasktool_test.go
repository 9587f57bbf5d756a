package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"cdphost/host/dialog"
	"cdphost/host/page"
	"cdphost/host/subagent"
	"cdphost/host/subagent/modeltest"
	"cdphost/host/subagent/openai"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// taskTool is the tool over a scripted model.
func taskTool(t *testing.T, k *Kit, s *modeltest.Server) (*Tool, *Artifacts) {
	t.Helper()
	tr := &http.Transport{}
	t.Cleanup(tr.CloseIdleConnections)
	kept := NewArtifacts(1 << 20)
	return TaskTool(TaskOptions{
		Kit: k, Agent: subagent.New(subagent.Options{}), Artifacts: kept,
		Plan: func() (TaskPlan, error) {
			return TaskPlan{
				Model:  openai.New(openai.Options{BaseURL: s.URL, Model: "scripted", Transport: tr}),
				Budget: subagent.Budget{Actions: 10},
			}, nil
		},
	}), kept
}

const buy = `{"subagent_type":"browser","description":"buy","prompt":"Buy the blue one."}`

func taskOf(t *testing.T, res *Result) taskReply {
	t.Helper()
	r, ok := res.Structured.(taskReply)
	if !ok {
		t.Fatalf("result = %#v", res.Structured)
	}
	return r
}

func TestTask(t *testing.T) {
	t.Parallel()
	k, task, dir := bench()
	var seen []string
	task.act = func(_ context.Context, args json.RawMessage) *page.Reply {
		seen = append(seen, string(args))
		r := &page.Reply{OK: true, Action: "click", TabID: "t1", Result: map[string]any{"url": "http://shop.test/"}}
		if strings.Contains(string(args), "screenshot") {
			r.Images = []page.Image{{MIME: "image/png", Data: []byte("PNG")}}
		}
		return r
	}
	s := modeltest.New(t,
		modeltest.Browse(`{"type":"screenshot","task_id":"another"}`),
		modeltest.Complete("Bought."))
	tl, kept := taskTool(t, k, s)
	call := callOf(buy)
	var lines []string
	call.Progress = func(done, total float64, line string) {
		lines = append(lines, fmt.Sprintf("%v/%v %s", done, total, line))
	}
	res, err := tl.Handler(t.Context(), call)
	if err != nil {
		t.Fatal(err)
	}
	r := taskOf(t, res)
	if r.Status != subagent.Completed || r.Summary != "Bought." || r.TaskID != "default" || r.Actions != 1 || res.IsError || !res.Untrusted {
		t.Errorf("reply = %+v, isError %v", r, res.IsError)
	}
	if len(r.Artifacts) != 1 || len(res.Links) != 1 || res.Links[0].URI != r.Artifacts[0].URI {
		t.Fatalf("artifacts = %+v, links = %+v", r.Artifacts, res.Links)
	}
	if data, mime, err := kept.Read(t.Context(), "local", r.Artifacts[0].URI); err != nil || string(data) != "PNG" || mime != "image/png" {
		t.Errorf("the artifact = %q, %s, %v", data, mime, err)
	}
	if _, _, err := kept.Read(t.Context(), "another", r.Artifacts[0].URI); !errors.Is(err, fault.InvalidArgument) {
		t.Errorf("another caller reads it: %v", err)
	}
	if !slices.Contains(seen, `{"task_id":"default","type":"screenshot"}`) {
		t.Errorf("the model reaches another task: %q", seen)
	}
	if want := []string{"1/10 screenshot"}; !slices.Equal(lines, want) || !slices.Equal(dir.started, []string{"default"}) {
		t.Errorf("progress %q, started %q", lines, dir.started)
	}
	if tools := s.Requests()[0].Tools; !slices.Equal(tools, []string{"browser", "browser_dialog", "complete"}) {
		t.Errorf("tools = %q", tools)
	}
}

func TestTaskArguments(t *testing.T) {
	t.Parallel()
	k, _, _ := bench()
	tl, _ := taskTool(t, k, modeltest.New(t))
	for name, tc := range map[string]struct {
		args string
		code fault.Code
		says string
	}{
		"another kind":  {`{"subagent_type":"shell","description":"x","prompt":"y"}`, fault.InvalidArgument, `subagent_type must be "browser"`},
		"no prompt":     {`{"subagent_type":"browser","description":"x","prompt":" "}`, fault.InvalidArgument, "prompt is missing"},
		"unknown name":  {`{"subagent_type":"browser","prompt":"y","files":[]}`, fault.InvalidArgument, `no argument "files"`},
		"a bad task_id": {`{"subagent_type":"browser","prompt":"y","task_id":"../x"}`, fault.InvalidArgument, "task_id"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := tl.Handler(t.Context(), callOf(tc.args))
			if !errors.Is(err, tc.code) || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("err = %v", err)
			}
		})
	}
}

func TestTaskWhileOff(t *testing.T) {
	t.Parallel()
	k, _, dir := bench()
	tl := TaskTool(TaskOptions{Kit: k, Agent: subagent.New(subagent.Options{}), Artifacts: NewArtifacts(1), Plan: func() (TaskPlan, error) {
		return TaskPlan{}, fault.New(fault.GateClosed, "The browser agent is off.")
	}})
	if _, err := tl.Handler(t.Context(), callOf(buy)); !errors.Is(err, fault.GateClosed) || len(dir.started) != 0 {
		t.Errorf("err = %v, started %q", err, dir.started)
	}
}

func TestTaskWithoutItsModel(t *testing.T) {
	t.Parallel()
	k, task, _ := bench()
	task.act = func(context.Context, json.RawMessage) *page.Reply { return &page.Reply{OK: true} }
	tl, _ := taskTool(t, k, modeltest.New(t, modeltest.Turn{Status: 401}))
	res, err := tl.Handler(t.Context(), callOf(buy))
	if err != nil {
		t.Fatal(err)
	}
	r := taskOf(t, res)
	if !res.IsError || r.Status != subagent.Failed || r.Error == nil || r.Error.Code != fault.Denied || !strings.Contains(r.Summary, "refuses the key") {
		t.Errorf("reply = %+v", r)
	}
}

// A dialog about which the policy wants the user asked is not the subagent's to
// answer: it comes up with the reply.
func TestTaskHandsUpWhatTheUserIsAsked(t *testing.T) {
	t.Parallel()
	k, task, _ := bench()
	task.act = func(context.Context, json.RawMessage) *page.Reply { return &page.Reply{OK: true} }
	task.answer = func(string, string, *string) (dialog.Closed, error) {
		t.Error("the dialog was answered")
		return dialog.Closed{}, nil
	}
	d := confirm("d-1", "F-TOP")
	d.Ask = true
	task.open(d)
	s := modeltest.New(t, modeltest.Use("browser_dialog", `{"action":"accept"}`), modeltest.Complete("Over to you."))
	tl, _ := taskTool(t, k, s)
	res, err := tl.Handler(t.Context(), callOf(buy))
	if err != nil {
		t.Fatal(err)
	}
	r := taskOf(t, res)
	if len(res.Ask) != 1 || len(r.Pending) != 1 || !strings.Contains(r.Summary, "confirm dialog d-1") || r.Artifacts[0].Name != "dialog-d-1.json" {
		t.Errorf("ask %+v, reply %+v", res.Ask, r)
	}
	if last := s.Requests()[1].Last(); !strings.Contains(last, "error denied") {
		t.Errorf("the model was told %q", last)
	}
}

func TestTaskOpensAPage(t *testing.T) {
	t.Parallel()
	k, task, _ := bench()
	task.update(func(s *supervisor.Snapshot, _ *supervisor.Page) { s.Pages, s.Current = nil, "" })
	tl, _ := taskTool(t, k, modeltest.New(t, modeltest.Complete("Nothing to do.")))
	if _, err := tl.Handler(t.Context(), callOf(buy)); err != nil {
		t.Fatal(err)
	}
	if got := task.Snapshot().Current; got != "t2" {
		t.Errorf("the current page is %q", got)
	}
}
