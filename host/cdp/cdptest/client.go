package cdptest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// callTime bounds what the Must helpers wait for. It is generous, because it only matters to a test
// that fails.
const callTime = 30 * time.Second

// M is a JSON object.
type M = map[string]any

// Error is what the browser answered to a command that it refused.
type Error struct {
	Code    int64  `json:"code"`
	Message string `json:"message"`
	Data    string `json:"data,omitempty"`
}

func (e *Error) Error() string { return fmt.Sprintf("cdp error %d: %s", e.Code, e.Message) }

// ErrClientClosed is the cause of every call that had no answer when the client's socket closed.
var ErrClientClosed = errors.New("cdptest: client closed")

// Answer is the browser's answer to one command.
type Answer struct {
	Seq    int // place of the answer among all messages that the client received
	Result json.RawMessage
	Err    error // *Error, or wrapping ErrClientClosed
}

// Command is one command of a burst.
type Command struct {
	SessionID string // empty: the browser's session
	Method    string
	Params    any // nil: none
}

// Client is a raw CDP client on one websocket. It reads all the time, so the browser is never held up
// by a test that does not look. Its methods may be called at the same time.
type Client struct {
	ws   *websocket.Conn
	stop context.CancelFunc
	done chan struct{}

	write sync.Mutex // keeps a burst together

	mu      sync.Mutex
	nextID  int64
	pending map[int64]chan Answer
	log     eventLog
	err     error // why reading ended
}

// Dial connects a client for one test and closes it in tb's Cleanup.
func Dial(tb TB, url string) *Client {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), callTime)
	defer cancel()
	c, err := Connect(ctx, url)
	if err != nil {
		tb.Fatalf("cdptest: %v", err)
	}
	tb.Cleanup(c.Close)
	return c
}

// Connect connects a client to a websocket URL of a browser. The context bounds the dial only. The
// caller must Close the client.
func Connect(ctx context.Context, url string) (*Client, error) {
	ws, _, err := websocket.Dial(ctx, url, nil)
	if err != nil {
		return nil, fmt.Errorf("dial: %w", err)
	}
	ws.SetReadLimit(-1)
	run, stop := context.WithCancel(context.Background())
	c := &Client{
		ws:      ws,
		stop:    stop,
		done:    make(chan struct{}),
		pending: map[int64]chan Answer{},
	}
	go c.read(run)
	return c, nil
}

// Close cuts the socket and waits for the reader.
func (c *Client) Close() {
	c.stop()
	_ = c.ws.CloseNow() // it reports that the socket is closed, which is what was asked for
	<-c.done
}

// Done is closed when the socket is gone.
func (c *Client) Done() <-chan struct{} { return c.done }

// Err tells why the socket is gone; nil while it is not.
func (c *Client) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Call sends one command and waits for its answer. The browser's refusal is an [*Error].
func (c *Client) Call(ctx context.Context, sessionID, method string, params any) (json.RawMessage, error) {
	reply := c.Send(Command{sessionID, method, params})[0]
	select {
	case r := <-reply:
		return r.Result, r.Err
	case <-ctx.Done():
		return nil, fmt.Errorf("%s: %w", method, ctx.Err())
	}
}

// Must is Call for tests: an error, or no answer in time, is fatal.
func (c *Client) Must(tb TB, sessionID, method string, params any) json.RawMessage {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), callTime)
	defer cancel()
	result, err := c.Call(ctx, sessionID, method, params)
	if err != nil {
		tb.Fatalf("cdptest: %s: %v", method, err)
	}
	return result
}

// Send sends commands in order with nothing of this client between them, and returns one channel
// for each, which receives the answer if there ever is one. It waits for none.
func (c *Client) Send(cmds ...Command) []<-chan Answer {
	c.write.Lock()
	defer c.write.Unlock()
	replies := make([]<-chan Answer, len(cmds))
	for i, cmd := range cmds {
		reply := make(chan Answer, 1)
		replies[i] = reply
		id, ok := c.register(reply)
		if !ok {
			continue
		}
		if err := c.send(id, cmd); err != nil {
			c.complete(id, Answer{Err: err})
		}
	}
	return replies
}

// register gives reply an id, or fails it when the socket is gone.
func (c *Client) register(reply chan Answer) (int64, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		reply <- Answer{Err: c.err}
		return 0, false
	}
	c.nextID++
	c.pending[c.nextID] = reply
	return c.nextID, true
}

func (c *Client) send(id int64, cmd Command) error {
	msg := struct {
		ID        int64  `json:"id"`
		SessionID string `json:"sessionId,omitempty"`
		Method    string `json:"method"`
		Params    any    `json:"params,omitempty"`
	}{id, cmd.SessionID, cmd.Method, cmd.Params}
	data, err := json.Marshal(msg)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), callTime)
	defer cancel()
	return c.ws.Write(ctx, websocket.MessageText, data)
}

// complete hands reply to the call with this id, if there is one.
func (c *Client) complete(id int64, reply Answer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if ch, ok := c.pending[id]; ok {
		delete(c.pending, id)
		ch <- reply
	}
}

func (c *Client) read(ctx context.Context) {
	defer close(c.done)
	for {
		_, data, err := c.ws.Read(ctx)
		if err != nil {
			c.fail(fmt.Errorf("%w: %w", ErrClientClosed, err))
			_ = c.ws.CloseNow()
			return
		}
		c.take(data)
	}
}

// take files one message of the browser.
func (c *Client) take(data []byte) {
	var msg struct {
		ID        *int64          `json:"id"`
		SessionID string          `json:"sessionId"`
		Method    string          `json:"method"`
		Params    json.RawMessage `json:"params"`
		Result    json.RawMessage `json:"result"`
		Error     *Error          `json:"error"`
	}
	if json.Unmarshal(data, &msg) != nil {
		msg.Method = "" // not JSON: it counts as a message and is kept nowhere
	}
	if msg.ID == nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.log.add(Event{SessionID: msg.SessionID, Method: msg.Method, Params: msg.Params})
		return
	}
	reply := Answer{Result: msg.Result}
	if msg.Error != nil {
		reply.Err = msg.Error
	}
	c.mu.Lock()
	reply.Seq = c.log.skip()
	c.mu.Unlock()
	c.complete(*msg.ID, reply)
}

// fail ends all calls and waits.
func (c *Client) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.err = err
	for id, ch := range c.pending {
		delete(c.pending, id)
		ch <- Answer{Err: err}
	}
	c.log.wake()
}
