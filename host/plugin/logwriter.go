package plugin

import (
	"bytes"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"
)

const (
	// maxLogLine is where a log line is cut, in bytes: more than any sentence,
	// less than what would hurt a log.
	maxLogLine = 16 << 10
	// maxLogLines is how many lines a plugin may log within a second.
	maxLogLines = 500
	// tailLines are kept to say why a plugin did not start.
	tailLines = 6
)

// logWriter takes a plugin's stderr and forwards its lines. It holds one line at
// most, never fails and never blocks on anything but the log.
type logWriter struct {
	logger hclog.Logger
	now    func() time.Time

	mu      sync.Mutex
	line    []byte
	cut     int // bytes left out of the current line
	panics  bool
	tail    []string
	second  int64
	lines   int
	dropped uint64
}

func newLogWriter(logger hclog.Logger) *logWriter {
	return &logWriter{logger: logger, now: time.Now}
}

// Write implements io.Writer.
func (w *logWriter) Write(p []byte) (int, error) {
	n := len(p)
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(p) > 0 {
		i := bytes.IndexByte(p, '\n')
		part := p
		if i >= 0 {
			part = p[:i]
		}
		take := part[:min(len(part), maxLogLine-len(w.line))]
		w.line = append(w.line, take...)
		w.cut += len(part) - len(take)
		if i < 0 {
			break
		}
		p = p[i+1:]
		w.endLocked()
	}
	return n, nil
}

// flush forwards a last line that has no end.
func (w *logWriter) flush() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.line) > 0 {
		w.endLocked()
	}
	w.reportLocked()
}

func (w *logWriter) endLocked() {
	line, cut := w.line, w.cut
	w.line, w.cut = w.line[:0], 0
	if len(bytes.TrimSpace(line)) == 0 {
		return
	}
	if second := w.now().Unix(); second != w.second {
		w.reportLocked()
		w.second, w.lines = second, 0
	}
	if w.lines++; w.lines > maxLogLines {
		w.dropped++
		return
	}
	e := parseLog(line)
	if e.raw {
		w.panics = w.panics || startsPanic(line)
		if w.panics {
			e.level = hclog.Error
		}
	}
	if cut > 0 {
		e.args = append(e.args, "bytes_cut", cut)
	}
	if len(w.tail) == tailLines {
		w.tail = append(w.tail[:0], w.tail[1:]...)
	}
	w.tail = append(w.tail, clean(e.message, 200))
	w.logger.Log(e.level, e.message, e.args...)
}

func (w *logWriter) reportLocked() {
	if w.dropped > 0 {
		w.logger.Warn("log lines dropped: too many within a second", "lines", w.dropped)
		w.dropped = 0
	}
}

// last returns the last lines.
func (w *logWriter) last() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string(nil), w.tail...)
}
