package tool

import (
	"context"
	"slices"
	"time"

	"cdphost/host/dialog"
	"cdphost/sdk/fault"
)

// How long browser_navigate may wait, in seconds.
const (
	defaultNavigateTimeout = 30
	maxTimeout             = 300
)

// What browser_navigate may wait for.
const (
	waitNone   = "none"
	waitCommit = "commit"
	waitLoad   = "load"
)

type navigateArgs struct {
	URL     string   `json:"url"`
	TaskID  string   `json:"task_id"`
	TabID   string   `json:"tab_id"`
	Wait    string   `json:"wait"`
	Timeout *float64 `json:"timeout"`
}

type navigateReply struct {
	Success bool            `json:"success"`
	TaskID  string          `json:"task_id"`
	TabID   string          `json:"tab_id"`
	URL     string          `json:"url"`
	Title   string          `json:"title"`
	Status  int             `json:"status,omitempty"`
	Blocked bool            `json:"blocked"`
	Pending []dialog.Dialog `json:"pending_dialogs"`
}

func navigateTool(k *Kit) *Tool {
	return &Tool{
		Name:  "browser_navigate",
		Title: "Open a URL",
		Description: "Opens a URL in the task's page and starts the browser when needed. A dialog that opens meanwhile ends " +
			"the wait at once with blocked: true; answer it with browser_dialog.",
		InputSchema: Schema(`{"type":"object","required":["url"],"additionalProperties":false,"properties":{
			"url":{"type":"string"},
			"wait":{"type":"string","enum":["none","commit","load"],"default":"load"},
			"timeout":{"type":"number","default":30,"minimum":1,"maximum":300,"description":"Seconds."},
			"tab_id":{"type":"string","description":"Left out: the current page, or a new one."},
			"task_id":{"type":"string","description":"An unknown id makes a new task."}}}`),
		OutputSchema: Schema(`{"type":"object","required":["success"],"properties":{
			"success":{"type":"boolean"},"task_id":{"type":"string"},"tab_id":{"type":"string"},"url":{"type":"string"},
			"title":{"type":"string"},"status":{"type":"integer"},"blocked":{"type":"boolean"},
			"pending_dialogs":{"type":"array"},"error":{"type":"object"}}}`),
		Annotations: Annotations{OpenWorld: true},
		Handler:     k.navigate,
	}
}

func (k *Kit) navigate(ctx context.Context, call *Call) (*Result, error) {
	var args navigateArgs
	if err := decode(call.Args, &args); err != nil {
		return nil, err
	}
	if args.Wait == "" {
		args.Wait = waitLoad
	}
	if waits := []string{waitNone, waitCommit, waitLoad}; !slices.Contains(waits, args.Wait) {
		return nil, fault.New(fault.InvalidArgument, "wait must be none, commit or load, not %q.", args.Wait).
			With("argument", "wait").With("allowed", waits)
	}
	timeout, err := timeoutOf(args.Timeout, defaultNavigateTimeout)
	if err != nil {
		return nil, err
	}
	url, err := address(args.URL)
	if err != nil {
		return nil, err
	}
	id, err := TaskID(call, args.TaskID, true, func() []string { return k.Directory.Tasks(call.Caller) })
	if err != nil {
		return nil, err
	}
	call.Report(0, 3, "starting the browser")
	t, err := k.Directory.Start(ctx, call.Caller, id, call.Toolset)
	if err != nil {
		return nil, err
	}
	if err := k.spend(call.Caller, id); err != nil {
		return nil, err
	}
	tabID, err := pageFor(ctx, t, args.TabID)
	if err != nil {
		return nil, withTask(err, id)
	}
	call.Report(1, 3, "opening "+url)
	n := &navigation{task: t, tabID: tabID, url: url, wait: args.Wait}
	if err := n.run(ctx, timeout); err != nil {
		return nil, withTask(asFault(err).With("tab_id", tabID), id)
	}
	reply := n.describe(ctx)
	call.Report(3, 3, "done")
	return &Result{Structured: reply, Untrusted: true, Ask: questions(t.Snapshot())}, nil
}

// pageFor returns the page to navigate, made when the task has none.
func pageFor(ctx context.Context, t Task, tabID string) (string, error) {
	s := t.Snapshot()
	if tabID == "" {
		if p, ok := s.CurrentPage(); ok {
			return p.TabID, nil
		}
		id, err := t.OpenPage(ctx, false)
		if err == nil {
			t.SetCurrent(id)
		}
		return id, err
	}
	p, err := pageOf(s, tabID)
	if err != nil {
		return "", err
	}
	t.SetCurrent(p.TabID)
	return p.TabID, nil
}

// withTask adds the task to an error, so that an agent can go on with it.
func withTask(err error, id string) error { return asFault(err).With("task_id", id) }

// timeoutOf checks a timeout argument in seconds.
func timeoutOf(given *float64, fallback float64) (time.Duration, error) {
	seconds := fallback
	if given != nil {
		seconds = *given
	}
	if !(seconds >= 1 && seconds <= maxTimeout) {
		return 0, fault.New(fault.InvalidArgument, "timeout must be 1 to %d seconds.", maxTimeout).With("argument", "timeout")
	}
	return time.Duration(seconds * float64(time.Second)), nil
}
