package server

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cdphost/host/tool"
)

// BrowserPrompts are the commands by which a person in a chat joins a browser of
// their own, leaves it, and sees which is in use.
func BrowserPrompts(d tool.Directory) []Prompt {
	c := browserCommands{d}
	return []Prompt{
		{
			Name: "browser_connect", Title: "Join my browser",
			Description: "Joins a browser that runs with remote debugging, for this chat's task.",
			Arguments: []PromptArgument{
				{Name: "url", Description: "CDP endpoint; left out: the one found on this machine."},
				{Name: "adopt", Description: "Tab to take over, by target id or URL pattern with *."},
				{Name: "task_id", Description: "The task; left out: this chat's own."},
			},
			Render: c.connect,
		},
		{
			Name: "browser_disconnect", Title: "Leave the browser",
			Description: "Ends the task's use of its browser. A browser of your own stays open.",
			Arguments:   []PromptArgument{{Name: "task_id", Description: "The task; left out: this chat's own."}},
			Render:      c.disconnect,
		},
		{
			Name: "browser_status", Title: "Which browser is in use",
			Description: "Says which browser the task uses, its tabs and open dialogs.",
			Arguments:   []PromptArgument{{Name: "task_id", Description: "The task; left out: this chat's own."}},
			Render:      c.status,
		},
	}
}

type browserCommands struct{ tasks tool.Directory }

func (c browserCommands) id(call *tool.Call, args map[string]string, starts bool) (string, error) {
	return tool.TaskID(call, args["task_id"], starts, func() []string { return c.tasks.Tasks(call.Caller) })
}

func (c browserCommands) connect(ctx context.Context, call *tool.Call, args map[string]string) (string, error) {
	id, err := c.id(call, args, true)
	if err != nil {
		return "", err
	}
	t, err := c.tasks.Connect(ctx, call.Caller, id, call.Toolset, tool.Connection{URL: args["url"], Adopt: args["adopt"]})
	if err != nil {
		return "", err
	}
	return "I have connected you to my browser. " + describe(t), nil
}

func (c browserCommands) disconnect(ctx context.Context, call *tool.Call, args map[string]string) (string, error) {
	id, err := c.id(call, args, false)
	if err != nil {
		return "", err
	}
	if err := c.tasks.Disconnect(ctx, call.Caller, id); err != nil {
		return "", err
	}
	return fmt.Sprintf("I have disconnected the task %s from its browser.", id), nil
}

func (c browserCommands) status(ctx context.Context, call *tool.Call, args map[string]string) (string, error) {
	id, err := c.id(call, args, false)
	if err != nil {
		return "", err
	}
	t, err := c.tasks.Task(ctx, call.Caller, id)
	if err != nil {
		return "", err
	}
	return describe(t), nil
}

// describe says what a task's browser is, without any text of its pages: what a
// prompt says is taken for the user's own words.
func describe(t tool.Task) string {
	s := t.Snapshot()
	can := slices.Sorted(maps.Keys(s.Backend.Capabilities))
	can = slices.DeleteFunc(can, func(name string) bool { return !s.Backend.Capabilities[name] })
	product := s.Backend.Product
	if product == "" {
		product = "a browser"
	}
	return fmt.Sprintf("The task %s uses %s (%s; can: %s). It has %d tabs and %d open dialogs; look with browser_snapshot.",
		s.Task.TaskID, product, s.Backend.Kind, strings.Join(can, ", "), len(s.Pages), len(s.Pending))
}
