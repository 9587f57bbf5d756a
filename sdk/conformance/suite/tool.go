package suite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"time"

	"cdphost/sdk"
)

var toolChecks = []check{
	{
		name: "its tools are valid", hook: sdk.HookToolProvider, run: toolsAreValid,
		advice: "each tool needs a name of its own (letters, digits, _ and -, at most 64), a description, and an InputSchema of type object without oneOf, anyOf or allOf at its top",
	},
	{
		name: "an unknown tool is an error", hook: sdk.HookToolProvider, run: unknownToolIsAnError,
		advice: "return an error, or a result with IsError, for a ToolCall.Name that is none of Tools",
	},
	{
		name: "a call ends when it can't reach the browser", hook: sdk.HookToolProvider, run: callsEnd,
		advice: "pass the call's context to the host, return its errors, and do not wait for what the browser never answers",
	},
	{
		name: "a call ends when it is cancelled", hook: sdk.HookToolProvider, run: cancelledCallsEnd,
		advice: "give the context of CallTool to the host and to whatever else the tool waits for, and return when it ends: the agent has gone by then",
	},
}

var toolName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

func toolsAreValid(ctx context.Context, s *session) (string, error) {
	tools, err := s.ask.Tools(ctx)
	if err != nil {
		return "", err
	}
	if len(tools) == 0 {
		return "", errors.New("it has no tools")
	}
	seen := map[string]bool{}
	names := make([]string, 0, len(tools))
	for _, t := range tools {
		if err := validTool(t); err != nil {
			return "", fmt.Errorf("tool %q: %w", t.Name, err)
		}
		if seen[t.Name] {
			return "", fmt.Errorf("tool %q is there twice", t.Name)
		}
		seen[t.Name] = true
		names = append(names, t.Name)
	}
	return join(names), nil
}

func validTool(t sdk.Tool) error {
	switch {
	case !toolName.MatchString(t.Name):
		return errors.New("its name is none")
	case t.Description == "":
		return errors.New("it has no description")
	}
	if err := validSchema(t.InputSchema); err != nil {
		return fmt.Errorf("its input schema %w", err)
	}
	if len(t.OutputSchema) > 0 {
		if err := validSchema(t.OutputSchema); err != nil {
			return fmt.Errorf("its output schema %w", err)
		}
	}
	return nil
}

func validSchema(raw []byte) error {
	schema := object(raw)
	if schema == nil {
		return errors.New("is no JSON object")
	}
	if string(schema["type"]) != `"object"` {
		return errors.New("is not of the type object")
	}
	for _, key := range []string{"oneOf", "anyOf", "allOf"} {
		if _, there := schema[key]; there {
			return fmt.Errorf("has %s at its top, which model providers refuse", key)
		}
	}
	return nil
}

func unknownToolIsAnError(ctx context.Context, s *session) (string, error) {
	r, err := s.ask.CallTool(ctx, sdk.ToolCall{Task: task, Name: "no_such_tool", Arguments: json.RawMessage(`{}`)})
	if err == nil && !r.IsError {
		return "", errors.New("no_such_tool was run")
	}
	return "", survived("no_such_tool", err)
}

// withoutArguments are the tools that can be called with none.
func (s *session) withoutArguments(ctx context.Context) ([]string, error) {
	tools, err := s.ask.Tools(ctx)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, t := range tools {
		var schema struct{ Required []string }
		if json.Unmarshal(t.InputSchema, &schema) == nil && len(schema.Required) == 0 {
			names = append(names, t.Name)
		}
	}
	if len(names) == 0 {
		return nil, skip("every tool requires arguments")
	}
	return names, nil
}

func callsEnd(ctx context.Context, s *session) (string, error) {
	names, err := s.withoutArguments(ctx)
	if err != nil {
		return "", err
	}
	for _, name := range names {
		// One task's browser knows no method; the other has none.
		for _, t := range []sdk.Task{task, unknown} {
			_, err := s.ask.CallTool(ctx, sdk.ToolCall{Task: t, Name: name, Arguments: json.RawMessage(`{}`)})
			if err := survived(name, err); err != nil {
				return "", err
			}
		}
	}
	return join(names), nil
}

func cancelledCallsEnd(ctx context.Context, s *session) (string, error) {
	names, err := s.withoutArguments(ctx)
	if err != nil {
		return "", err
	}
	var waited []string
	for _, name := range names {
		cancelled, err := s.cancelled(ctx, name)
		if err != nil {
			return "", err
		}
		if cancelled {
			waited = append(waited, name)
		}
	}
	if len(waited) == 0 {
		return "", skip("no tool waits for anything")
	}
	return join(waited), nil
}

// cancelled calls a tool while the browser answers nothing, and cancels the call
// once it waits: for the browser, or, when it has neither asked nor ended for a
// while, for something else. It reports false when the call ended by itself.
func (s *session) cancelled(ctx context.Context, name string) (bool, error) {
	asked, answer := s.host.Hang()
	defer answer()
	call, cancel := context.WithCancel(ctx)
	defer cancel()
	over := make(chan struct{})
	go func() {
		defer close(over)
		_, _ = s.ask.CallTool(call, sdk.ToolCall{Task: task, Name: name, Arguments: json.RawMessage(`{}`)})
	}()
	timer := time.NewTimer(s.patience / 30)
	defer timer.Stop()
	select {
	case <-over:
		return false, nil
	case <-asked:
	case <-timer.C:
	}
	cancel()
	<-over
	bound := s.patience / 3
	end := time.NewTimer(bound)
	defer end.Stop()
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for {
		n, err := s.ask.ToolCalls(ctx)
		if err != nil || n == 0 {
			return true, err
		}
		select {
		case <-end.C:
			return true, fmt.Errorf("%s still runs %s after its call was cancelled", name, bound)
		case <-tick.C:
		}
	}
}
