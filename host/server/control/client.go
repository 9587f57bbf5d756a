package control

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"

	"cdphost/sdk/fault"
)

// Client sends requests to one running host. Close it when done.
type Client struct {
	http *http.Client
	path string
}

// Open makes a Client for a socket; it does not connect yet.
func Open(path string) *Client {
	return &Client{path: path, http: &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", path)
		},
	}}}
}

// Close lets the connections go.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Call sends one request and returns the reply. Errors of the host are
// *fault.Error with its code; fault.Unsupported is a host that does not know the
// request, fault.EndpointUnreachable a socket on which nobody listens.
func Call[Resp any](ctx context.Context, c *Client, name string, req any) (Resp, error) {
	var zero Resp
	body, err := json.Marshal(req)
	if err != nil {
		return zero, err
	}
	post, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://control/v1/"+name, bytes.NewReader(body))
	if err != nil {
		return zero, err
	}
	post.Header.Set("Content-Type", "application/json")
	res, err := c.http.Do(post)
	if err != nil {
		if ctx.Err() != nil {
			return zero, ctx.Err()
		}
		return zero, fault.Wrap(err, fault.EndpointUnreachable, "No cdphost answers on %s.", c.path)
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode == http.StatusNotFound {
		return zero, fault.New(fault.Unsupported, "The running cdphost does not know %q; it may be older than this command.", name)
	}
	var reply envelope
	if err := json.NewDecoder(res.Body).Decode(&reply); err != nil {
		return zero, fmt.Errorf("the reply to %q can't be read: %w", name, err)
	}
	if reply.Error != nil {
		return zero, reply.Error
	}
	var out Resp
	return out, json.Unmarshal(reply.Result, &out)
}

// Find returns a Client of the one host that runs for this user, or of the one
// with a process id (0 means any).
func Find(ctx context.Context, dir string, pid int) (*Client, error) {
	instances := Instances(ctx, dir)
	var names []string
	for _, in := range instances {
		if in.PID == pid || pid == 0 && len(instances) == 1 {
			return Open(in.Socket), nil
		}
		names = append(names, fmt.Sprintf("%d (%s%s)", in.PID, in.Mode, onAddress(in.Listen)))
	}
	switch {
	case len(names) == 0:
		return nil, fault.New(fault.EndpointUnreachable, "No cdphost is running. Start one with: cdphost serve")
	case pid != 0:
		return nil, fault.New(fault.EndpointUnreachable, "No cdphost runs with process id %d. Running: %s.", pid, strings.Join(names, ", "))
	default:
		return nil, fault.New(fault.InvalidArgument, "Several cdphosts are running; say which with --pid: %s.", strings.Join(names, ", "))
	}
}

func onAddress(listen string) string {
	if listen == "" {
		return ""
	}
	return " on " + listen
}
