//go:build unix

package plugin_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"

	"cdphost/sdk"
)

// captured uses a real task of the host.
func (p *tested) captured(ctx context.Context, task sdk.Task, args toolArgs) (sdk.ToolResult, error) {
	h, err := p.env.Host.Capture(ctx, task)
	if err != nil {
		return sdk.ToolResult{}, err
	}
	out := map[string]any{"session": h.PageSession(), "tab": h.TabID(), "pid": os.Getpid()}
	page := sdk.OnSession(h.PageSession())
	call := func(method string, params any, opts ...sdk.CallOption) (json.RawMessage, error) {
		return h.Call(ctx, method, params, append([]sdk.CallOption{page}, opts...)...)
	}
	switch args.Do {
	case "task make": // and keep
		for _, c := range []struct{ method, params string }{
			{"Page.addScriptToEvaluateOnNewDocument", `{"source":"1"}`}, {"Runtime.addBinding", `{"name":"bound"}`},
			{"Network.enable", `{}`}, {"Fetch.enable", `{}`}, {"Debugger.enable", `{}`},
		} {
			if _, err := call(c.method, json.RawMessage(c.params)); err != nil {
				return sdk.ToolResult{}, err
			}
		}
		if _, err := h.Call(ctx, "Target.createTarget", map[string]any{"url": "about:blank"}); err != nil {
			return sdk.ToolResult{}, err
		}
	case "task validated":
		raw, err := call("Runtime.evaluate", map[string]any{"expression": args.Text}, sdk.WithBeforeSend(func(c sdk.Command, f sdk.Facts) error {
			out["origin"], out["target"], out["params"] = f.Origin, f.TargetID, string(c.Params)
			return nil
		}))
		out["result"] = string(raw)
		if err != nil {
			return sdk.ToolResult{}, err
		}
		_, err = call("Page.stopLoading", nil, sdk.WithBeforeSend(func(sdk.Command, sdk.Facts) error { return errOwn }))
		out["own"] = errors.Is(err, errOwn)
		_, err = call("Target.activateTarget", map[string]any{"targetId": "FOREIGN"})
		out["foreign"] = errors.Is(err, sdk.ErrNotYours)
		_, err = call("No.suchMethod", nil)
		cdp, _ := sdk.AsCDPError(err)
		if cdp != nil {
			out["cdp"] = cdp.Code
		}
	case "task await":
		_, err := call(args.Method, nil)
		out["invalid"] = errors.Is(err, sdk.ErrCaptureInvalid)
		<-h.Invalid()
		out["valid"] = h.Valid()
	case "task events":
		sub, err := p.env.Host.Subscribe(ctx, task, sdk.EventQuery{Methods: []string{"Page.frameNavigated"}})
		if err != nil {
			return sdk.ToolResult{}, err
		}
		defer sub.Close()
		if _, err := call("Page.navigate", map[string]any{"url": args.Text}); err != nil {
			return sdk.ToolResult{}, err
		}
		for e := range sub.Events() {
			if strings.Contains(string(e.Params), args.Text) {
				out["event"] = e.Method + " " + e.TabID
				break
			}
		}
	case "task call":
		_, err := call(args.Method, nil)
		return sdk.ToolResult{Structured: out}, err
	}
	return sdk.ToolResult{Structured: out}, nil
}
