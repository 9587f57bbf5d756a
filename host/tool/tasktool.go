package tool

import (
	"context"
	"strings"
	"time"

	"cdphost/host/dialog"
	"cdphost/host/subagent"
	"cdphost/sdk/fault"
)

// subagentBrowser is the one kind of subagent.
const subagentBrowser = "browser"

// TaskOptions configure the task tool. All fields must be set.
type TaskOptions struct {
	Kit   *Kit
	Agent *subagent.Agent
	// Artifacts keeps what runs hand back.
	Artifacts *Artifacts
	// Plan says with which model and budget a call works; it is asked at each
	// call. fault.GateClosed when the subagent is off.
	Plan func() (TaskPlan, error)
}

// TaskPlan is what the configuration gives to one call of the task tool.
type TaskPlan struct {
	Model  subagent.Model
	Budget subagent.Budget
}

type taskArgs struct {
	SubagentType string `json:"subagent_type"`
	Description  string `json:"description"`
	Prompt       string `json:"prompt"`
	TaskID       string `json:"task_id"`
}

type taskReply struct {
	Summary   string              `json:"summary"`
	Status    subagent.Status     `json:"status"`
	Artifacts []subagent.Artifact `json:"artifacts"`
	TaskID    string              `json:"task_id"`
	Actions   int                 `json:"actions"`
	Tokens    int64               `json:"tokens"`
	Pending   []dialog.Dialog     `json:"pending_dialogs"`
	Error     *taskError          `json:"error,omitempty"`
}

type taskError struct {
	Code    fault.Code `json:"code"`
	Message string     `json:"message"`
}

// TaskTool is the tool task: work for a model of the host's own.
func TaskTool(o TaskOptions) *Tool {
	return &Tool{
		Name:  nameTask,
		Title: "Hand work to a browser agent",
		Description: "Hands a piece of work to an agent that uses the browser on its own and answers with one summary. It knows " +
			"nothing of this conversation: put all it needs into prompt, and say what the summary is to hold. Calls on one " +
			"task_id run one after the other and find the pages as the last one left them. status is completed, failed, " +
			"cancelled or budget_exhausted. A dialog that it left open is in pending_dialogs; answer it with browser_dialog.",
		InputSchema: Schema(`{"type":"object","required":["subagent_type","description","prompt"],"additionalProperties":false,"properties":{
			"subagent_type":{"type":"string","enum":["browser"]},
			"description":{"type":"string","description":"A few words for people."},
			"prompt":{"type":"string","description":"The work, complete in itself."},
			"task_id":{"type":"string","description":"An unknown id makes a new task."}}}`),
		OutputSchema: Schema(`{"type":"object","properties":{
			"summary":{"type":"string"},"status":{"type":"string","enum":["completed","failed","cancelled","budget_exhausted"]},
			"artifacts":{"type":"array"},"task_id":{"type":"string"},
			"actions":{"type":"integer"},"tokens":{"type":"integer"},
			"pending_dialogs":{"type":"array"},
			"success":{"type":"boolean"},"error":{"type":"object"}}}`),
		Annotations: Annotations{Destructive: true, OpenWorld: true},
		Gate:        GateModel,
		Handler:     o.task,
	}
}

func (o *TaskOptions) task(ctx context.Context, call *Call) (*Result, error) {
	var args taskArgs
	if err := decode(call.Args, &args); err != nil {
		return nil, err
	}
	if args.SubagentType != subagentBrowser {
		return nil, fault.New(fault.InvalidArgument, `subagent_type must be "browser", not %q.`, args.SubagentType).
			With("argument", "subagent_type").With("allowed", []string{subagentBrowser})
	}
	if strings.TrimSpace(args.Prompt) == "" {
		return nil, fault.New(fault.InvalidArgument, "prompt is missing: say what is to be done.").With("argument", "prompt")
	}
	plan, err := o.Plan()
	if err != nil {
		return nil, err
	}
	id, err := TaskID(call, args.TaskID, true, func() []string { return o.Kit.Directory.Tasks(call.Caller) })
	if err != nil {
		return nil, err
	}
	left, err := o.Kit.left(call.Caller, id, call.Toolset)
	if err != nil {
		return nil, err
	}
	plan.Budget.Actions = tighter(plan.Budget.Actions, left.Actions)
	plan.Budget.Time = tighter(plan.Budget.Time, left.Time)
	var box *toolbox
	var links []Link
	result, err := o.Agent.Run(ctx, subagent.Job{
		Caller: call.Caller, Task: id, Description: args.Description, Prompt: args.Prompt,
		Model: plan.Model, Budget: plan.Budget,
		Open: func(ctx context.Context) (subagent.Toolbox, error) {
			box, err = openToolbox(ctx, o.Kit, call, id)
			return box, err
		},
		Keep: func(name, mime, description string, data []byte) (subagent.Artifact, error) {
			l, err := o.Artifacts.Put(call.Caller, name, mime, description, data)
			if err != nil {
				return subagent.Artifact{}, err
			}
			links = append(links, l)
			return subagent.Artifact{URI: l.URI, Name: l.Name, MIME: l.MIME, Description: l.Description, Size: l.Size}, nil
		},
		Report: func(done, total int, line string) { call.Report(float64(done), float64(total), line) },
	})
	if err != nil {
		return nil, withTask(err, id)
	}
	s := box.task.Snapshot()
	reply := taskReply{
		Summary: result.Summary, Status: result.Status, Artifacts: result.Artifacts, TaskID: id,
		Actions: result.Actions, Tokens: result.Usage.Total(), Pending: pending(s),
	}
	if reply.Artifacts == nil {
		reply.Artifacts = []subagent.Artifact{}
	}
	if f := result.Error; f != nil {
		reply.Error = &taskError{f.Code, f.Message}
	}
	res := &Result{
		Structured: reply, Untrusted: true, IsError: result.Error != nil, Links: links, Ask: questions(s),
	}
	if result.Error != nil {
		res.Code = result.Error.Code
	}
	return res, nil
}

// tighter is the lower of two limits, of which 0 is none.
func tighter[T int | time.Duration](a, b T) T {
	if a == 0 || b > 0 && b < a {
		return b
	}
	return a
}
