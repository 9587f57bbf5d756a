package sdk

import (
	"context"
	"sync"

	"google.golang.org/grpc"

	"cdphost/sdk/fault"
	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
	"cdphost/sdk/proto/wire"
)

// Host is a plugin's way to the browser. It is safe for concurrent use.
type Host struct {
	conn   *grpc.ClientConn
	client pluginv1.HostClient

	mu     sync.Mutex
	calls  *callStream
	closed bool
}

func newHost(conn *grpc.ClientConn) *Host {
	return &Host{conn: conn, client: pluginv1.NewHostClient(conn)}
}

// errNoHost is what a plugin gets that was started without a host.
var errNoHost = fault.New(fault.Unsupported, "this plugin was started without a way to the host")

// Capture leases the connection of a task's browser. The handle is pinned to that
// connection and to the page that is current now; nothing is started, reconnected
// or refocused for it. It fails with ErrCaptureInvalid when the task has no
// attached browser, and with ErrNotGranted when config.yaml does not let this
// plugin reach the task. Release the handle when done.
func (h *Host) Capture(ctx context.Context, task Task) (*Handle, error) {
	calls, err := h.stream()
	if err != nil {
		return nil, err
	}
	resp, err := h.client.Capture(ctx, &pluginv1.CaptureRequest{Task: task.wire()})
	if err != nil {
		return nil, wire.FromStatus(err, "the host")
	}
	handle := &Handle{
		host: h, calls: calls, task: task, id: resp.GetHandle(), pageSession: resp.GetPageSession(),
		tabID: resp.GetTabId(), epoch: resp.GetEpoch(), invalid: make(chan struct{}),
	}
	calls.adopt(handle)
	return handle, nil
}

// stream returns the stream of calls, opened on first use.
func (h *Host) stream() (*callStream, error) {
	if h.client == nil {
		return nil, errNoHost
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, fault.New(fault.CaptureInvalid, "the plugin is being stopped")
	}
	if h.calls == nil {
		h.calls = newCallStream(h.client)
	}
	return h.calls, nil
}

// close ends all calls and subscriptions.
func (h *Host) close() {
	h.mu.Lock()
	calls := h.calls
	h.closed = true
	h.mu.Unlock()
	if h.conn != nil {
		_ = h.conn.Close()
	}
	if calls != nil {
		calls.close()
	}
}
