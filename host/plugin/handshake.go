package plugin

import (
	"bytes"
	"io"
	"strings"
	"sync"
)

// maxHandshake bounds the handshake line in bytes; with a certificate it has
// about 1,200.
const maxHandshake = 8 << 10

// handshake takes a plugin's stdout: the first line is for go-plugin, the rest
// goes to the log. It never blocks the plugin.
type handshake struct {
	rest io.Writer

	mu    sync.Mutex
	line  []byte
	over  bool
	ready chan struct{}
	read  *bytes.Reader // set before ready
}

func newHandshake(rest io.Writer) *handshake {
	return &handshake{rest: rest, ready: make(chan struct{})}
}

// Write takes what the plugin printed.
func (h *handshake) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := len(p)
	if !h.over {
		i := bytes.IndexByte(p, '\n')
		take := p
		if i >= 0 {
			take = p[:i]
		}
		take = take[:min(len(take), maxHandshake-len(h.line))]
		h.line = append(h.line, take...)
		p = p[len(take):]
		if i >= 0 || len(h.line) == maxHandshake {
			h.finishLocked()
		}
	}
	if h.over && len(p) > 0 {
		_, _ = h.rest.Write(p)
	}
	return n, nil
}

// Read gives go-plugin the line, and the end after it.
func (h *handshake) Read(p []byte) (int, error) {
	<-h.ready
	return h.read.Read(p)
}

// Close implements io.Closer.
func (h *handshake) Close() error {
	h.finish()
	return nil
}

// finish ends the line where it is.
func (h *handshake) finish() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.finishLocked()
}

func (h *handshake) finishLocked() {
	if h.over {
		return
	}
	h.over = true
	h.read = bytes.NewReader(append(bytes.Clone(h.line), '\n'))
	close(h.ready)
}

// text returns what the plugin printed first, cut for a message.
func (h *handshake) text() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return clean(strings.TrimSpace(string(h.line)), 120)
}

// version returns the protocol version that the line names, "" when the line is
// no handshake.
func (h *handshake) version() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	parts := strings.Split(string(h.line), "|")
	if len(parts) < 5 || strings.TrimSpace(parts[0]) != "1" {
		return ""
	}
	return clean(parts[1], 20)
}
