package sdk_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"cdphost/sdk"
	"cdphost/sdk/fault"
	"cdphost/sdk/sdktest"
)

var shop = sdk.Task{Caller: "me", ID: "shop"}

// withTask runs f inside a plugin that has one task.
func withTask(t *testing.T, f func(ctx context.Context, host *sdk.Host, fake *sdktest.Host) error) {
	t.Helper()
	var fake *sdktest.Host
	r := sdktest.Start(t, withHost(func(ctx context.Context, host *sdk.Host) error { return f(ctx, host, fake) }), nil)
	fake = r.Host
	fake.AddTask(shop, sdk.Facts{SessionID: "S1", TabID: "t1", Epoch: 3, Origin: "https://shop.test"})
	fake.Handle("Test.ok", func(sdk.Command) (any, error) { return map[string]any{}, nil })
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if _, err := r.CallTool(ctx, sdk.ToolCall{Task: shop, Name: "run"}); err != nil {
		t.Error(err)
	}
}

func TestHandleIsPinned(t *testing.T) {
	t.Parallel()
	withTask(t, func(ctx context.Context, host *sdk.Host, fake *sdktest.Host) error {
		h, err := host.Capture(ctx, shop)
		if err != nil {
			return err
		}
		if h.PageSession() != "S1" || h.TabID() != "t1" || h.Epoch() != 3 || h.Task() != shop || !h.Valid() {
			t.Errorf("got %+v", h)
		}
		fake.Invalidate(shop)
		<-h.Invalid()
		if _, err := h.Call(ctx, "Test.ok", nil); !errors.Is(err, sdk.ErrCaptureInvalid) {
			t.Errorf("got %v", err)
		}
		again, err := host.Capture(ctx, shop)
		if err != nil {
			return err
		}
		if _, err := again.Call(ctx, "Test.ok", nil); err != nil {
			t.Error(err)
		}
		if err := again.Release(ctx); err != nil {
			t.Error(err)
		}
		if again.Valid() || fake.Open() != 0 {
			t.Error("not released")
		}
		if n := len(fake.Sent()); n != 1 {
			t.Errorf("%d commands were sent", n)
		}
		return nil
	})
}

func TestCaptureOfAnUnknownTask(t *testing.T) {
	t.Parallel()
	withTask(t, func(ctx context.Context, host *sdk.Host, _ *sdktest.Host) error {
		if _, err := host.Capture(ctx, sdk.Task{ID: "nobody"}); !errors.Is(err, sdk.ErrCaptureInvalid) {
			t.Errorf("got %v", err)
		}
		if _, err := host.Subscribe(ctx, sdk.Task{ID: "nobody"}, sdk.EventQuery{}); !errors.Is(err, fault.TaskNotFound) {
			t.Errorf("got %v", err)
		}
		return nil
	})
}

func TestBeforeSendErrorComesBackAsItWas(t *testing.T) {
	t.Parallel()
	own := errors.New("mine")
	withTask(t, func(ctx context.Context, host *sdk.Host, fake *sdktest.Host) error {
		h, err := host.Capture(ctx, shop)
		if err != nil {
			return err
		}
		_, err = h.Call(ctx, "Test.ok", nil, sdk.WithBeforeSend(func(sdk.Command, sdk.Facts) error { return own }))
		if err != own { //nolint:errorlint // the very same value is promised
			t.Errorf("got %v", err)
		}
		_, err = h.Call(ctx, "Test.ok", nil, sdk.WithBeforeSend(func(sdk.Command, sdk.Facts) error {
			_, err := h.Call(ctx, "Test.ok", nil)
			return err
		}))
		if !errors.Is(err, fault.InvalidArgument) {
			t.Errorf("a call from inside a validator: %v", err)
		}
		if n := len(fake.Sent()); n != 0 {
			t.Errorf("%d commands were sent", n)
		}
		return nil
	})
}

func TestEvaluate(t *testing.T) {
	t.Parallel()
	withTask(t, func(ctx context.Context, host *sdk.Host, fake *sdktest.Host) error {
		h, err := host.Capture(ctx, shop)
		if err != nil {
			return err
		}
		fake.Handle("Runtime.evaluate", func(c sdk.Command) (any, error) {
			if c.SessionID != "S1" {
				t.Errorf("session %q", c.SessionID)
			}
			return map[string]any{"result": map[string]any{"value": "a title"}}, nil
		})
		var title string
		if err := h.Evaluate(ctx, "document.title", &title); err != nil || title != "a title" {
			t.Errorf("%q, %v", title, err)
		}
		fake.Handle("Runtime.evaluate", func(sdk.Command) (any, error) {
			return map[string]any{"result": map[string]any{}, "exceptionDetails": map[string]any{"text": "Uncaught"}}, nil
		})
		if err := h.Evaluate(ctx, "x", nil); !errors.Is(err, fault.EvaluateFailed) {
			t.Errorf("got %v", err)
		}
		return nil
	})
}

func TestSubscription(t *testing.T) {
	t.Parallel()
	withTask(t, func(ctx context.Context, host *sdk.Host, fake *sdktest.Host) error {
		sub, err := host.Subscribe(ctx, shop, sdk.EventQuery{Methods: []string{"Page.*"}})
		if err != nil {
			return err
		}
		defer sub.Close()
		fake.Emit(sdk.Event{Task: shop, Seq: 1, Method: "Network.x"})
		fake.Emit(sdk.Event{Task: shop, Seq: 2, Method: "Page.frameNavigated"})
		if e := <-sub.Events(); e.Seq != 2 || e.Task != shop {
			t.Errorf("got %+v", e)
		}
		return nil
	})
}
