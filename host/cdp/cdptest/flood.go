package cdptest

import (
	"context"
	"strings"
	"time"
)

// floodTick is how often a flood sends its next batch.
const floodTick = time.Millisecond

// Flood sends console events of size bytes at a rate per second to the page's sessions that have
// Runtime enabled, until the context ends, and returns how many it sent to each. It never lets more
// than one batch wait for a socket, so a client that is too slow lowers the rate. It is the caller
// that runs it on a goroutine.
func (p *Page) Flood(ctx context.Context, perSecond, size int) int {
	message := p.floodMessage(size)
	start := time.Now()
	tick := time.NewTicker(floodTick)
	defer tick.Stop()
	sent := 0
	for {
		select {
		case <-ctx.Done():
			return sent
		case <-tick.C:
		}
		due := int(time.Since(start).Seconds()*float64(perSecond)) - sent
		if due <= 0 {
			continue
		}
		p.burst(message, due)
		sent += due
		if p.s.Flush(ctx) != nil {
			return sent
		}
	}
}

// Burst sends count console events of size bytes at once.
func (p *Page) Burst(count, size int) { p.burst(p.floodMessage(size), count) }

func (p *Page) burst(message func(sessionID string) []byte, count int) {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	for _, ses := range p.t.sessions {
		if !ses.on("Runtime") {
			continue
		}
		msgs := make([][]byte, count)
		for i := range msgs {
			msgs[i] = message(ses.id)
		}
		ses.conn.out.put(msgs...)
	}
}

// floodMessage returns the maker of console events that are size bytes long on the wire.
func (p *Page) floodMessage(size int) func(sessionID string) []byte {
	p.s.mu.Lock()
	contextID := p.t.root.contextID
	p.s.mu.Unlock()
	made := map[string][]byte{}
	build := func(sessionID string, fill int) []byte {
		return eventMessage(sessionID, "Runtime.consoleAPICalled", mustJSON(M{
			"type": "log", "args": []M{{"type": "string", "value": strings.Repeat("x", fill)}},
			"executionContextId": contextID, "timestamp": 1,
		}))
	}
	return func(sessionID string) []byte {
		if made[sessionID] == nil {
			made[sessionID] = build(sessionID, max(0, size-len(build(sessionID, 0))))
		}
		return made[sessionID]
	}
}
