package cdptest

import (
	"bytes"
	"strings"
	"sync"
)

// stderrTail is how many bytes of a browser's standard error are kept for error messages.
const stderrTail = 8 << 10

// stderrLog finds the DevTools URL in a browser's standard error and keeps the end of it.
type stderrLog struct {
	url chan string // receives the URL once

	mu    sync.Mutex
	tail  []byte
	found bool
}

func newStderrLog() *stderrLog { return &stderrLog{url: make(chan string, 1)} }

// Write implements io.Writer.
func (l *stderrLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tail = append(l.tail, p...)
	if !l.found {
		if url := devToolsURL(l.tail); url != "" {
			l.found = true
			l.url <- url
		}
	}
	if n := len(l.tail) - stderrTail; n > 0 {
		l.tail = append(l.tail[:0], l.tail[n:]...)
	}
	return len(p), nil
}

// Tail returns what was written last.
func (l *stderrLog) Tail() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.TrimSpace(string(l.tail))
}

// devToolsURL returns the URL of the line "DevTools listening on ws://...", once that line is whole.
func devToolsURL(out []byte) string {
	_, rest, ok := bytes.Cut(out, []byte("DevTools listening on "))
	if !ok {
		return ""
	}
	line, _, ok := bytes.Cut(rest, []byte("\n"))
	if !ok {
		return ""
	}
	return string(bytes.TrimSpace(line))
}
