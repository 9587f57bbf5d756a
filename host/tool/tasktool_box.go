package tool

import (
	"context"
	"encoding/json"

	"cdphost/host/dialog"
	"cdphost/host/subagent"
	"cdphost/sdk/fault"
)

// toolbox is a task as the subagent reaches it: the same tools that agents
// have, on that one task.
type toolbox struct {
	kit  *Kit
	call *Call // of the task tool
	task Task
	// tools are the private ones, by name.
	tools map[string]*Tool
}

// openToolbox starts the task's browser when it does not run, with a page.
func openToolbox(ctx context.Context, k *Kit, call *Call, id string) (*toolbox, error) {
	t, err := k.Directory.Start(ctx, call.Caller, id, call.Toolset)
	if err != nil {
		return nil, err
	}
	b := &toolbox{kit: k, call: call, task: t, tools: make(map[string]*Tool)}
	for _, tl := range []*Tool{browserTool(k), dialogTool(k)} {
		b.tools[tl.Name] = tl
	}
	if _, err := pageFor(ctx, t, ""); err != nil {
		return nil, err
	}
	return b, nil
}

// Tools implements subagent.Toolbox.
func (b *toolbox) Tools() []subagent.Tool {
	var out []subagent.Tool
	for _, name := range []string{subagent.ToolBrowser, subagent.ToolDialog} {
		t := b.tools[name]
		schema, err := json.Marshal(t.InputSchema)
		if err != nil {
			schema = json.RawMessage("{}") // the schemas are literals, which tests marshal
		}
		out = append(out, subagent.Tool{Name: t.Name, Description: t.Description, Schema: schema})
	}
	return out
}

// Call implements subagent.Toolbox.
func (b *toolbox) Call(ctx context.Context, name string, args json.RawMessage) (*subagent.Output, error) {
	t, ok := b.tools[name]
	if !ok {
		return nil, fault.New(fault.InvalidArgument, "There is no tool %q.", name)
	}
	args, err := b.onTask(args)
	if err != nil {
		return nil, err
	}
	res, err := b.run(ctx, t, args)
	if err != nil {
		res = Fail(err)
	}
	reply, err := json.Marshal(res.Structured)
	if err != nil {
		return nil, err
	}
	out := &subagent.Output{Reply: reply, Failed: res.IsError}
	for _, img := range res.Images {
		out.Images = append(out.Images, subagent.Image{MIME: img.MIME, Data: img.Data})
	}
	return out, nil
}

func (b *toolbox) run(ctx context.Context, t *Tool, args json.RawMessage) (*Result, error) {
	if t.Name == subagent.ToolDialog {
		if err := b.forUser(args); err != nil {
			return nil, err
		}
	}
	return t.Handler(ctx, &Call{Caller: b.call.Caller, Toolset: b.call.Toolset, Args: args})
}

// onTask names the task in the arguments, whatever the model wrote there.
func (b *toolbox) onTask(args json.RawMessage) (json.RawMessage, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(args, &fields); err != nil {
		return nil, err
	}
	if fields == nil {
		fields = make(map[string]json.RawMessage, 1)
	}
	id, err := json.Marshal(b.task.Key().TaskID)
	if err != nil {
		return nil, err
	}
	fields["task_id"] = id
	return json.Marshal(fields)
}

// forUser refuses to answer a dialog about which the policy wants the user
// asked: it is handed up, and the reply of the task tool asks.
func (b *toolbox) forUser(args json.RawMessage) error {
	var in struct {
		DialogID string `json:"dialog_id"`
	}
	if json.Unmarshal(args, &in) != nil {
		return nil //nolint:nilerr // the tool itself says what is wrong
	}
	held := b.task.Snapshot().Pending
	for i := range held {
		d := &held[i]
		if d.Ask && (d.ID == in.DialogID || in.DialogID == "" && len(held) == 1) {
			return fault.New(fault.Denied, "The dialog policy wants the user asked about the dialog %s. Leave it open and call complete.", d.ID)
		}
	}
	return nil
}

// Dialogs implements subagent.Toolbox.
func (b *toolbox) Dialogs() []subagent.Dialog {
	var out []subagent.Dialog
	held := b.task.Snapshot().Pending
	for i := range held {
		d := &held[i]
		if d.State == dialog.Answering {
			continue
		}
		out = append(out, subagent.Dialog{
			ID: d.ID, Type: string(d.Type), Message: d.Message, TabID: d.TabID, State: string(d.State),
		})
	}
	return out
}

// Page implements subagent.Toolbox.
func (b *toolbox) Page() subagent.Page {
	p, ok := b.task.Snapshot().CurrentPage()
	if !ok {
		return subagent.Page{}
	}
	return subagent.Page{TabID: p.TabID, URL: clipURL(p.URL), Title: clipTitle(p.Title)}
}
