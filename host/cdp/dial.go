package cdp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
)

// DialOptions are the options of Dial. The zero value is usable.
type DialOptions struct {
	// Header is sent with the handshake. No Origin header is added, because
	// Chrome refuses those it was not told to allow.
	Header http.Header

	// HTTPClient does the handshake; http.DefaultClient when nil, which uses
	// the proxies of the environment, but none for loopback addresses.
	HTTPClient *http.Client
}

// DialError is a failed WebSocket handshake. Its text never holds the URL,
// which may carry a token.
type DialError struct {
	StatusCode int         // HTTP status of the answer, 0 when there was none
	Header     http.Header // header of the answer, nil when there was none
	Err        error
}

func (e *DialError) Error() string {
	if e.StatusCode != 0 && e.StatusCode != http.StatusSwitchingProtocols {
		return fmt.Sprintf("websocket handshake: HTTP status %d", e.StatusCode)
	}
	return "websocket handshake: " + e.Err.Error()
}

func (e *DialError) Unwrap() error { return e.Err }

var errNotURL = errors.New("the address is not a valid URL")

// Dial opens a WebSocket to wsURL (ws, wss, http or https) without compression
// and without a limit on the length of messages, which Conn keeps itself. ctx
// bounds the handshake only. Failures are a *DialError.
func Dial(ctx context.Context, wsURL string, o DialOptions) (Transport, error) {
	t := &wsTransport{}
	conn, resp, err := websocket.Dial(ctx, wsURL, &websocket.DialOptions{ //nolint:bodyclose // the library closes the body
		HTTPClient:      o.HTTPClient,
		HTTPHeader:      o.Header,
		CompressionMode: websocket.CompressionDisabled,
		OnPingReceived:  t.mayPong,
	})
	if err != nil {
		return nil, newDialError(resp, err)
	}
	conn.SetReadLimit(-1)
	t.conn = conn
	return t, nil
}

func newDialError(resp *http.Response, err error) *DialError {
	e := &DialError{Err: err}
	if resp != nil {
		e.StatusCode, e.Header = resp.StatusCode, resp.Header
	}
	var withURL *url.Error
	if errors.As(err, &withURL) {
		e.Err = withURL.Err
		if withURL.Op == "parse" {
			e.Err = errNotURL
		}
	}
	return e
}

// pongPatience is how long a write may be under way before pings go without a
// pong. The pong would have to wait for that write, and the reader for the
// pong.
const pongPatience = time.Second

type wsTransport struct {
	conn         *websocket.Conn
	writingSince atomic.Int64 // Unix nanoseconds, 0 when no write is under way
}

func (t *wsTransport) Reader(ctx context.Context) (io.Reader, error) {
	_, r, err := t.conn.Reader(ctx)
	return r, err
}

func (t *wsTransport) Write(ctx context.Context, p []byte) error {
	t.writingSince.Store(time.Now().UnixNano())
	defer t.writingSince.Store(0)
	return t.conn.Write(ctx, websocket.MessageText, p)
}

func (t *wsTransport) Close() error { return t.conn.CloseNow() }

func (t *wsTransport) mayPong(context.Context, []byte) bool {
	since := t.writingSince.Load()
	return since == 0 || time.Since(time.Unix(0, since)) < pongPatience
}
