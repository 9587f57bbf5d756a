package link

import (
	"encoding/json"
	"errors"
	"sync/atomic"
	"time"

	"cdphost/host/cdp"

	browserdom "github.com/chromedp/cdproto/browser"
)

// errSilent ends a connection whose other end does not answer any more, as after
// a network that went away without a word.
var errSilent = errors.New("the browser does not answer")

// heartbeat asks the browser something cheap from time to time, because TCP alone
// may not notice for minutes that the other end is gone. Its beat is called by one
// goroutine.
type heartbeat struct {
	conn  *cdp.Conn
	limit time.Duration
	asked time.Time
	open  atomic.Bool // a question is not answered yet
}

// beat asks, or ends the connection when the last question is open for too long.
func (b *heartbeat) beat(now time.Time) {
	if b.open.Load() {
		if now.Sub(b.asked) >= b.limit {
			b.conn.Abort(errSilent)
		}
		return
	}
	b.asked = now
	b.open.Store(true)
	b.conn.Post([]cdp.Command{{Method: browserdom.CommandGetVersion}}, func(int, json.RawMessage, error) { b.open.Store(false) })
}
