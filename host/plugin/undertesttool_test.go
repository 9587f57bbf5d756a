//go:build unix

package plugin_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"cdphost/sdk"
)

// Tools implements sdk.ToolProvider.
func (p *tested) Tools() []sdk.Tool {
	schema := json.RawMessage(`{"type":"object"}`)
	return []sdk.Tool{{Name: "echo", Description: "echoes", InputSchema: schema, ReadOnly: true}, {Name: "cdp", InputSchema: schema}}
}

// toolArgs steer a call of a tool.
type toolArgs struct {
	Do     string `json:"do"`
	Method string `json:"method"`
	Text   string `json:"text"`
	N      int    `json:"n"`
	Millis int    `json:"millis"`
}

// CallTool does what the arguments say.
func (p *tested) CallTool(ctx context.Context, call sdk.ToolCall) (sdk.ToolResult, error) {
	var args toolArgs
	if err := json.Unmarshal(call.Arguments, &args); err != nil {
		return sdk.ToolResult{}, err
	}
	if p.mode == "stubborn" {
		ctx = context.WithoutCancel(ctx)
	}
	if call.Name == "cdp" {
		return p.cdp(ctx, call.Task, args)
	}
	switch args.Do {
	case "wait":
		call.Progress(0, 1, "waiting")
		<-ctx.Done()
		return sdk.ToolResult{}, ctx.Err()
	case "die":
		os.Exit(6)
	case "trace":
		return sdk.ToolResult{Text: sdk.TraceParent(ctx)}, nil
	case "log":
		p.env.Logger.Warn("a warning", "key", "value", "n", 7)
	}
	for i := range 3 {
		call.Progress(float64(i+1), 3, fmt.Sprint("step ", i+1))
	}
	return sdk.ToolResult{Text: args.Text, Structured: map[string]any{"text": args.Text}, Images: []sdk.Image{{MIMEType: "image/png", Data: []byte{1}}}}, nil
}

// cdp uses the host.
func (p *tested) cdp(ctx context.Context, task sdk.Task, args toolArgs) (sdk.ToolResult, error) {
	if strings.HasPrefix(args.Do, "task ") {
		return p.captured(ctx, task, args)
	}
	h, err := p.env.Host.Capture(ctx, task)
	if err != nil {
		return sdk.ToolResult{}, err
	}
	if args.Do == "leak" {
		for range args.N {
			if _, err = p.env.Host.Capture(ctx, task); err != nil {
				return sdk.ToolResult{}, err
			}
		}
		return sdk.ToolResult{Text: "leaked"}, nil
	}
	defer func() { _ = h.Release(context.WithoutCancel(ctx)) }()
	out := map[string]any{"session": h.PageSession(), "epoch": h.Epoch(), "tab": h.TabID()}
	var opts []sdk.CallOption
	var asked atomic.Int64
	switch args.Do {
	case "ended":
		select {
		case <-h.Invalid():
		case <-ctx.Done():
			return sdk.ToolResult{}, ctx.Err()
		}
		return sdk.ToolResult{Structured: out}, nil
	case "valid":
		out["before"] = h.Valid()
		if _, err := h.Call(ctx, "Test.invalidate", nil); !errors.Is(err, sdk.ErrCaptureInvalid) {
			return sdk.ToolResult{}, fmt.Errorf("in flight: %w", err)
		}
		<-h.Invalid()
		out["after"] = h.Valid()
		_, err := h.Call(ctx, "Test.ok", nil)
		out["code"] = fmt.Sprint(errors.Is(err, sdk.ErrCaptureInvalid))
		return sdk.ToolResult{Structured: out}, nil
	case "flood":
		errs := make(chan error, args.N)
		for range args.N {
			go func() {
				_, err := h.Call(ctx, "Test.hang", nil)
				errs <- err
			}()
		}
		refused := 0
		for !errors.Is(<-errs, sdk.ErrNotSent) {
		}
		refused++
		out["refused"] = refused
		return sdk.ToolResult{Structured: out}, nil
	case "bench", "bench-before-send":
		if args.Do == "bench-before-send" {
			opts = append(opts, sdk.WithBeforeSend(func(sdk.Command, sdk.Facts) error { return nil }))
		}
		times := make([]time.Duration, args.N)
		for i := range times {
			start := time.Now()
			if _, err := h.Call(ctx, "Test.ok", nil, opts...); err != nil {
				return sdk.ToolResult{}, err
			}
			times[i] = time.Since(start)
		}
		slices.Sort(times)
		out["p50_us"] = float64(times[len(times)/2].Microseconds())
		return sdk.ToolResult{Structured: out}, nil
	case "subscribe":
		return p.subscribe(ctx, task, h)
	case "timeout":
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(args.Millis)*time.Millisecond)
		defer cancel()
	case "refuse":
		opts = append(opts, sdk.WithBeforeSend(func(c sdk.Command, f sdk.Facts) error {
			asked.Add(1)
			return errOwn
		}))
	case "allow":
		opts = append(opts, sdk.WithCompare(sdk.FactOrigin), sdk.WithBeforeSend(func(c sdk.Command, f sdk.Facts) error {
			asked.Add(1)
			out["origin"], out["params"] = f.Origin, string(c.Params)
			return nil
		}))
	case "nested":
		opts = append(opts, sdk.WithBeforeSend(func(sdk.Command, sdk.Facts) error {
			_, err := h.Call(ctx, "Test.ok", nil)
			return err
		}))
	case "slow":
		opts = append(opts, sdk.WithBeforeSend(func(sdk.Command, sdk.Facts) error {
			time.Sleep(time.Duration(args.Millis) * time.Millisecond)
			return nil
		}))
	}
	raw, err := h.Call(ctx, args.Method, map[string]any{"n": args.N}, append(opts, sdk.OnSession(h.PageSession()))...)
	out["own"] = errors.Is(err, errOwn)
	out["asked"] = asked.Load()
	out["bytes"] = len(raw)
	if cdp, ok := sdk.AsCDPError(err); ok {
		out["cdp"] = cdp.Code
		err = nil
	}
	if errors.Is(err, errOwn) {
		err = nil
	}
	return sdk.ToolResult{Structured: out}, err
}

var errOwn = errors.New("the plugin's own error")

func (p *tested) subscribe(ctx context.Context, task sdk.Task, h *sdk.Handle) (sdk.ToolResult, error) {
	sub, err := p.env.Host.Subscribe(ctx, task, sdk.EventQuery{Methods: []string{"Page.*"}})
	if err != nil {
		return sdk.ToolResult{}, err
	}
	defer sub.Close()
	if _, err := h.Call(ctx, "Test.emit", nil); err != nil {
		return sdk.ToolResult{}, err
	}
	var seqs []uint64
	for e := range sub.Events() {
		seqs = append(seqs, e.Seq)
		if len(seqs) == 3 {
			break
		}
	}
	return sdk.ToolResult{Structured: map[string]any{"seqs": seqs}}, nil
}

// Events implements sdk.EventSubscriber.
func (p *tested) Events() []string { return []string{"Page.*", "Host.dialogOpened"} }

// Deliver appends what it gets to the file that the first event of a test names.
func (p *tested) Deliver(_ context.Context, events []sdk.Event, dropped uint64) {
	for _, e := range events {
		var params struct {
			File string `json:"file"`
			Do   string `json:"do"`
		}
		_ = json.Unmarshal(e.Params, &params)
		if params.Do == "stop" && p.env.Generation == 1 {
			_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
		}
		if params.File != "" {
			f, err := os.OpenFile(filepath.Clean(params.File), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
			if err != nil {
				continue
			}
			_, _ = fmt.Fprintln(f, e.Seq, dropped)
			_ = f.Close()
		}
	}
}
