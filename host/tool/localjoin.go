package tool

import (
	"context"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/target"

	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// Connect implements Directory.
func (l *Local) Connect(ctx context.Context, caller, id string, set *Toolset, to Connection) (Task, error) {
	spec, err := l.opts.Join(to.URL)
	if err != nil {
		return nil, err
	}
	key := supervisor.Key{Caller: caller, TaskID: id}
	l.mu.Lock()
	toolset, made := l.madeLocked(key, set)
	l.mu.Unlock()
	plan, err := l.opts.Plan(toolset)
	if err != nil {
		return nil, err
	}
	plan.Spec = spec
	t, err := l.start(ctx, key, plan)
	if err != nil {
		if !made {
			l.forget(ctx, key)
		}
		return nil, err
	}
	l.mu.Lock()
	l.joined[key] = spec
	l.mu.Unlock()
	if to.Adopt == "" {
		return t, nil
	}
	sup, _ := l.opts.Registry.Get(key)
	if sup == nil {
		return nil, fault.New(fault.NoSupervisor, "The task %q was stopped while it connected.", id)
	}
	return t, adopt(ctx, sup, to.Adopt)
}

// Disconnect implements Directory.
func (l *Local) Disconnect(ctx context.Context, caller, id string) error {
	key := supervisor.Key{Caller: caller, TaskID: id}
	l.Stop(ctx, key)
	return nil
}

// Answer answers a dialog as a user said; see server.AnswerFunc.
func (l *Local) Answer(ctx context.Context, caller string, q Question, accept bool, text *string) error {
	t, err := l.Task(ctx, caller, q.TaskID)
	if err != nil {
		return err
	}
	action := "dismiss"
	if accept {
		action = "accept"
	}
	_, err = t.AnswerDialog(ctx, q.DialogID, action, text)
	return err
}

// adopt takes over the one tab that a target id or URL pattern names.
func adopt(ctx context.Context, sup *supervisor.Supervisor, name string) error {
	targets, err := sup.Targets(ctx)
	if err != nil {
		return err
	}
	var found []*target.Info
	tabs := make([]map[string]string, 0, len(targets))
	for _, info := range targets {
		tabs = append(tabs, map[string]string{"target_id": string(info.TargetID), "url": clipURL(info.URL)})
		if string(info.TargetID) == name || matches(name, info.URL) {
			found = append(found, info)
		}
	}
	switch len(found) {
	case 0:
		return fault.New(fault.TabNotFound, "No tab of the browser matches %q. Name one of tabs by its target_id.", name).With("tabs", tabs)
	case 1:
	default:
		return fault.New(fault.InvalidArgument, "%d tabs of the browser match %q. Name one by its target_id.", len(found), name).
			With("argument", "adopt").With("tabs", tabs)
	}
	p, err := sup.Adopt(ctx, string(found[0].TargetID))
	if err != nil {
		return fmt.Errorf("taking over %s: %w", found[0].TargetID, err)
	}
	sup.SetCurrent(p.TabID)
	return nil
}

// matches reports whether a URL matches a pattern in which * is any text.
func matches(pattern, url string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == url
	}
	rest, ok := strings.CutPrefix(url, parts[0])
	if !ok {
		return false
	}
	last := len(parts) - 1
	for _, part := range parts[1:last] {
		_, after, found := strings.Cut(rest, part)
		if !found {
			return false
		}
		rest = after
	}
	return strings.HasSuffix(rest, parts[last])
}
