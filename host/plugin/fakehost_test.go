//go:build unix

package plugin_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"cdphost/host/cdp"
	"cdphost/host/plugin"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// fakeHost is a CaptureHost without a browser.
type fakeHost struct {
	mu       sync.Mutex
	open     int
	released int
	changed  chan struct{}
	sources  []chan supervisor.Event
}

func newFakeHost() *fakeHost { return &fakeHost{changed: make(chan struct{}, 1)} }

func (f *fakeHost) Capture(_ context.Context, holder plugin.Holder, task supervisor.Key) (plugin.CaptureHandle, error) {
	if task.TaskID == "foreign" {
		return nil, fault.New(fault.NotGranted, "plugin %s has no grant for %s", holder.Name, task)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.open++
	h := &fakeHandle{host: f, invalid: make(chan struct{})}
	if task.TaskID == "ended" { // before the plugin hears that it has the handle
		close(h.invalid)
	}
	return h, nil
}

func (f *fakeHost) Subscribe(_ context.Context, _ plugin.Holder, task supervisor.Key, filter plugin.EventFilter) (plugin.EventSource, error) {
	if task.TaskID == "foreign" {
		return nil, fault.New(fault.NotGranted, "no")
	}
	c := make(chan supervisor.Event, 16)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sources = append(f.sources, c)
	return fakeSource{c}, nil
}

func (f *fakeHost) counts() (open, released int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.open, f.released
}

type fakeSource struct{ c chan supervisor.Event }

func (s fakeSource) Events() <-chan supervisor.Event { return s.c }
func (s fakeSource) Dropped() uint64                 { return 0 }
func (s fakeSource) Close()                          {}

type fakeHandle struct {
	host    *fakeHost
	once    sync.Once
	inv     sync.Once
	invalid chan struct{}
}

func (h *fakeHandle) PageSession() string      { return "S1" }
func (h *fakeHandle) TabID() string            { return "t1" }
func (h *fakeHandle) Epoch() uint64            { return 7 }
func (h *fakeHandle) Invalid() <-chan struct{} { return h.invalid }

func (h *fakeHandle) Release() {
	h.once.Do(func() {
		h.host.mu.Lock()
		defer h.host.mu.Unlock()
		h.host.released++
		select {
		case h.host.changed <- struct{}{}:
		default:
		}
	})
}

func (h *fakeHandle) Call(ctx context.Context, c plugin.CaptureCall) (json.RawMessage, error) {
	select {
	case <-h.invalid:
		return nil, fault.New(fault.CaptureInvalid, "the connection was replaced")
	default:
	}
	if c.BeforeSend != nil {
		askCtx, cancel := context.WithTimeout(ctx, 500*time.Millisecond)
		defer cancel()
		if err := c.BeforeSend(askCtx, c.Command, plugin.Facts{Origin: "https://shop.test", Epoch: 7}); err != nil {
			return nil, err
		}
	}
	switch c.Command.Method {
	case "Test.ok":
		return json.RawMessage(`{}`), nil
	case "Test.big":
		var p struct{ N int }
		_ = json.Unmarshal(c.Command.Params, &p)
		return json.RawMessage(`"` + strings.Repeat("x", p.N-2) + `"`), nil
	case "Test.hang":
		<-ctx.Done()
		return nil, &cdp.CallError{Method: c.Command.Method, Sent: true, Err: ctx.Err()}
	case "Test.cdp":
		return nil, &cdp.CallError{Method: c.Command.Method, Sent: true, Err: &cdp.Error{Code: -32000, Message: "no"}}
	case "Test.unsent":
		return nil, &cdp.CallError{Method: c.Command.Method, Err: cdp.ErrClosed}
	case "Test.invalidate":
		h.inv.Do(func() { close(h.invalid) })
		return nil, fault.New(fault.CaptureInvalid, "the connection was replaced")
	case "Test.emit":
		h.host.mu.Lock()
		defer h.host.mu.Unlock()
		for _, c := range h.host.sources {
			for seq := uint64(1); seq <= 3; seq++ {
				c <- supervisor.Event{Seq: seq, Method: "Page.test", Params: json.RawMessage(`{}`)}
			}
		}
		return json.RawMessage(`{}`), nil
	}
	return nil, fmt.Errorf("no method %s", c.Command.Method)
}
