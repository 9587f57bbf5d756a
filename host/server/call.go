package server

import (
	"cmp"
	"context"
	"runtime/debug"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cdphost/host/tool"
	"cdphost/sdk/fault"
)

// handler makes the MCP handler of a tool. Faults of the tool are results with
// isError, never protocol errors, so that the model can read them.
func (e *endpoint) handler(t *tool.Tool) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if req.Params.RequestState != "" {
			return e.answered(ctx, req), nil
		}
		start := time.Now()
		ctx, end := e.span(ctx, t, req)
		set := e.set.Load()
		res, err := e.run(ctx, t, &tool.Call{
			Caller:    e.caller,
			Session:   sessionOf(req),
			Stateless: stateless(req),
			Toolset:   set,
			Args:      req.Params.Arguments,
			Progress:  progress(ctx, req),
		})
		if err != nil {
			if fault.CodeOf(err) == fault.InternalError {
				e.srv.log.Error("a tool failed", "tool", t.Name, "toolset", set.Name, "error", err)
			}
			res = tool.Fail(err)
		}
		code := CodeOf(res)
		end(code)
		e.srv.opts.Observe(Observation{
			Toolset: set.Name, Caller: e.caller, Tool: t.Name, Args: req.Params.Arguments,
			Code: code, Duration: time.Since(start),
		})
		return e.ask(req, res), nil
	}
}

// run contains a panic of the tool.
func (e *endpoint) run(ctx context.Context, t *tool.Tool, call *tool.Call) (res *tool.Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			e.srv.log.Error("a tool panicked", "tool", t.Name, "panic", p, "stack", string(debug.Stack()))
			res, err = nil, fault.New(fault.InternalError, "%s failed inside the host; its log has the details.", t.Name)
		}
	}()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(e.alive, cancel)()
	return t.Handler(ctx, call)
}

func sessionOf(req *mcp.CallToolRequest) string {
	if overHTTP(req) {
		return req.Session.ID()
	}
	return ""
}

func stateless(req *mcp.CallToolRequest) bool {
	return overHTTP(req) && req.Session.ID() == ""
}

func overHTTP(req *mcp.CallToolRequest) bool {
	return req.Extra != nil && req.Extra.Header != nil
}

func progress(ctx context.Context, req *mcp.CallToolRequest) func(done, total float64, message string) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return nil
	}
	return func(done, total float64, message string) {
		// A client that does not take progress loses it, not its call.
		_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
			ProgressToken: token, Progress: done, Total: total, Message: message,
		})
	}
}

// CodeOf is the error code of a result, "" for a success.
func CodeOf(res *tool.Result) string {
	if !res.IsError {
		return ""
	}
	return cmp.Or(string(res.Code), "error")
}
