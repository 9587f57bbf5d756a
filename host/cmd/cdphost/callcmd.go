package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"cdphost/host/server"
	"cdphost/host/tool"
	"cdphost/host/watch"
	"cdphost/sdk/fault"

	"github.com/spf13/cobra"
)

// callRequest is a tool call by an operator, on behalf of a caller.
type callRequest struct {
	Caller  string          `json:"caller"`
	Toolset string          `json:"toolset"`
	Tool    string          `json:"tool"`
	Args    json.RawMessage `json:"args"`
}

type callReply struct {
	Result  json.RawMessage `json:"result"`
	IsError bool            `json:"is_error"`
}

// call runs a tool for an operator. Gates and toolset lists do not bind an
// operator; what the task owns does.
func (h *host) call(ctx context.Context, r callRequest) (callReply, error) {
	cfg := h.config.Load()
	if r.Caller == "" {
		r.Caller = server.LocalCaller
	}
	if r.Toolset == "" {
		r.Toolset = cfg.Server.DefaultToolset
	}
	set, ok := toolsets(cfg)[r.Toolset]
	if !ok {
		return callReply{}, fault.New(fault.InvalidArgument, "there is no toolset %q", r.Toolset)
	}
	t, ok := h.catalog.Lookup(r.Tool)
	if !ok {
		return callReply{}, fault.New(fault.InvalidArgument, "there is no tool %q; there are: %s", r.Tool, strings.Join(h.catalog.Names(), ", "))
	}
	start := time.Now()
	res, err := t.Handler(ctx, &tool.Call{Caller: r.Caller, Toolset: set, Args: r.Args})
	if err != nil {
		res = tool.Fail(err)
	}
	h.watch.ToolCall(watch.ToolCall{
		Caller: r.Caller, Toolset: set.Name, Tool: t.Name, By: "operator", Args: r.Args,
		Code: server.CodeOf(res), Duration: time.Since(start),
	})
	data, err := json.Marshal(res.Structured)
	if err != nil {
		return callReply{}, err
	}
	return callReply{Result: data, IsError: res.IsError}, nil
}

func callCommand() *cobra.Command {
	var f operatorFlags
	var req callRequest
	cmd := f.add(&cobra.Command{
		Use:   "call TOOL [KEY=VALUE]...",
		Short: "Call a tool of the running host",
		Long: `A VALUE that is JSON is taken as that, anything else as a string. Prints the tool's structured result;
a tool that fails ends the command with code 1.`,
		Example: `  cdphost call browser_navigate url=https://example.com task_id=try
  cdphost call browser_cdp task_id=try method=Runtime.evaluate params='{"expression":"1+1"}'`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			req.Tool = args[0]
			given, err := arguments(args[1:])
			if err != nil {
				return usageError{err}
			}
			req.Args = given
			return callTool(cmd, &f, req)
		},
	})
	cmd.Flags().StringVar(&req.Toolset, "toolset", "", "the `TOOLSET` whose rules hold (default: server.default_toolset)")
	cmd.Flags().StringVar(&req.Caller, "caller", "", "the `CALLER` whose tasks are meant, as cdphost tasks lists them (default: "+server.LocalCaller+")")
	return cmd
}

func callTool(cmd *cobra.Command, f *operatorFlags, req callRequest) error {
	r, err := ask[callReply](cmd, f, "call", req)
	if err != nil {
		return err
	}
	f.asJSON = true // a tool's result has no other form
	if err := show(cmd, f, r.Result, func(io.Writer) {}); err != nil {
		return err
	}
	if r.IsError {
		return silentError{fmt.Errorf("%s failed", req.Tool)}
	}
	return nil
}

// arguments turns KEY=VALUE words into the JSON object of a tool's arguments.
func arguments(words []string) (json.RawMessage, error) {
	args := make(map[string]any, len(words))
	for _, w := range words {
		key, value, ok := strings.Cut(w, "=")
		if !ok || key == "" {
			return nil, fault.New(fault.InvalidArgument, "%q is not KEY=VALUE", w)
		}
		if json.Valid([]byte(value)) {
			args[key] = json.RawMessage(value)
		} else {
			args[key] = value
		}
	}
	return json.Marshal(args)
}
