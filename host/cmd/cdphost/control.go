package main

import (
	"context"
	"os"
	"time"

	"cdphost/host/config"
	"cdphost/host/dialog"
	"cdphost/host/plugin"
	"cdphost/host/server/control"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// The requests of the control socket and their shapes.
type (
	none struct{}

	reloadReply struct {
		Changes []string `json:"changes"`
		Version string   `json:"version"`
	}
	pluginsReply struct {
		Plugins []plugin.Status `json:"plugins"`
	}
	taskInfo struct {
		Caller   string    `json:"caller"`
		TaskID   string    `json:"task_id"`
		Toolset  string    `json:"toolset,omitempty"`
		Attached bool      `json:"attached"`
		Backend  string    `json:"backend,omitempty"`
		Pages    int       `json:"pages"`
		Pending  int       `json:"pending_dialogs"`
		LastUsed time.Time `json:"last_used"`
	}
	tasksReply struct {
		Tasks []taskInfo `json:"tasks"`
	}
	taskRequest struct {
		Caller string `json:"caller"`
		TaskID string `json:"task_id"`
	}
	dialogInfo struct {
		Caller  string    `json:"caller"`
		TaskID  string    `json:"task_id"`
		ID      string    `json:"id"`
		Type    string    `json:"type"`
		State   string    `json:"state"`
		Message string    `json:"message"`
		URL     string    `json:"url"`
		TabID   string    `json:"tab_id"`
		Opened  time.Time `json:"opened_at"`
	}
	dialogsReply struct {
		Dialogs []dialogInfo `json:"dialogs"`
	}
	answerRequest struct {
		taskRequest
		DialogID string  `json:"dialog_id"`
		Action   string  `json:"action"`
		Text     *string `json:"text"`
	}
)

// startControl opens the control socket; listen is the address of MCP over HTTP, "" without one.
func (h *host) startControl(listen string) error {
	s := control.New(h.logger.Named("control"), h.observeOperator)
	control.Handle(s, "reload", func(ctx context.Context, _ none) (reloadReply, error) { return h.reload(ctx) })
	control.Handle(s, "plugins", func(context.Context, none) (pluginsReply, error) {
		return pluginsReply{h.plugins.Status()}, nil
	})
	control.Handle(s, "plugin.debug", h.debugPlugin)
	control.Handle(s, "tasks", func(context.Context, none) (tasksReply, error) { return h.taskList(), nil })
	control.Handle(s, "task.stop", func(ctx context.Context, r taskRequest) (none, error) {
		key, err := h.find(r)
		if err == nil {
			h.tasks.Stop(ctx, key)
		}
		return none{}, err
	})
	control.Handle(s, "dialogs", func(context.Context, none) (dialogsReply, error) { return h.dialogList(), nil })
	control.Handle(s, "dialog.answer", h.answerDialog)
	control.Handle(s, "call", h.call)
	h.control = s
	return s.Start(control.Dir(), control.Info{PID: os.Getpid(), Started: time.Now(), Version: version, Mode: h.mode, Listen: listen, Config: h.config.Load().File()})
}

func (h *host) reload(ctx context.Context) (reloadReply, error) {
	cfg, err := config.Load(h.config.Load().File())
	if err != nil {
		return reloadReply{}, fault.Wrap(err, fault.ConfigInvalid, "%s", err.Error())
	}
	changes, err := h.apply(ctx, cfg)
	if err != nil {
		return reloadReply{}, fault.Wrap(err, fault.ConfigInvalid, "%s", err.Error())
	}
	r := reloadReply{Changes: []string{}, Version: cfg.Version()}
	for _, c := range changes {
		r.Changes = append(r.Changes, c.String())
	}
	return r, nil
}

func (h *host) taskList() tasksReply {
	r := tasksReply{Tasks: []taskInfo{}}
	for _, key := range h.registry.Tasks("") {
		info := taskInfo{Caller: key.Caller, TaskID: key.TaskID}
		if rec, ok := h.registry.Known(key); ok {
			info.LastUsed = rec.LastUsed()
		}
		if s, ok := h.registry.Get(key); ok {
			snap := s.Snapshot()
			info.Attached, info.Backend, info.Toolset = snap.Connected, snap.Backend.Kind, s.Settings().Toolset
			info.Pages, info.Pending = len(snap.Pages), len(snap.Pending)
		}
		r.Tasks = append(r.Tasks, info)
	}
	return r
}

func (h *host) dialogList() dialogsReply {
	r := dialogsReply{Dialogs: []dialogInfo{}}
	h.registry.Each(func(s *supervisor.Supervisor) {
		for _, d := range s.Snapshot().Pending {
			r.Dialogs = append(r.Dialogs, dialogInfo{
				Caller: s.Key().Caller, TaskID: s.Key().TaskID, ID: d.ID, Type: string(d.Type), State: string(d.State),
				Message: d.Message, URL: d.URL, TabID: d.TabID, Opened: d.OpenedAt,
			})
		}
	})
	return r
}

// answerDialog answers for an operator, who may leave out the task while only one
// has such a dialog.
func (h *host) answerDialog(ctx context.Context, r answerRequest) (dialog.Closed, error) {
	var match []*supervisor.Supervisor
	h.registry.Each(func(s *supervisor.Supervisor) {
		if r.TaskID != "" && s.Key().TaskID != r.TaskID || r.Caller != "" && s.Key().Caller != r.Caller {
			return
		}
		snap := s.Snapshot()
		_, has := snap.Dialog(r.DialogID)
		if r.TaskID != "" || has || r.DialogID == "" && len(snap.Pending) > 0 {
			match = append(match, s)
		}
	})
	switch len(match) {
	case 1:
		return match[0].AnswerDialog(ctx, supervisor.DialogAnswer{ID: r.DialogID, Action: r.Action, Text: r.Text, By: dialog.Agent})
	case 0:
		return dialog.Closed{}, fault.New(fault.NoDialog, "no task has such a dialog pending; cdphost dialogs lists them")
	}
	return dialog.Closed{}, fault.New(fault.DialogAmbiguous, "dialogs of %d tasks match; name the task with --task, as cdphost dialogs lists them", len(match))
}

// find resolves a task that an operator names; the caller may be left out while
// the id is unambiguous.
func (h *host) find(r taskRequest) (supervisor.Key, error) {
	var match []supervisor.Key
	for _, key := range h.registry.Tasks(r.Caller) {
		if r.TaskID == "" || key.TaskID == r.TaskID {
			match = append(match, key)
		}
	}
	switch len(match) {
	case 1:
		return match[0], nil
	case 0:
		return supervisor.Key{}, fault.New(fault.TaskNotFound, "there is no task %q; cdphost tasks lists them", r.TaskID)
	}
	return supervisor.Key{}, fault.New(fault.InvalidArgument, "%d tasks match; name the task and its caller as cdphost tasks lists them", len(match))
}
