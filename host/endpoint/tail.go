package endpoint

import (
	"bytes"
	"net/url"
	"strings"
	"sync"

	"github.com/hashicorp/go-hclog"
)

const (
	// tailLines and tailWidth bound what is kept of a browser's stderr, in lines
	// and bytes: enough for its last words, little enough for an error.
	tailLines = 12
	tailWidth = 400
	// listeningPrefix begins the line in which Chrome tells its address.
	listeningPrefix = "DevTools listening on "
)

// tail is the stderr of a browser: it keeps the last lines and finds the one
// that tells the address. Safe for concurrent use; Write never fails, so the
// browser never sees a broken pipe.
type tail struct {
	listening chan URL // gets the address once
	log       hclog.Logger

	mu      sync.Mutex
	kept    []string
	partial []byte
	told    bool
}

func newTail(log hclog.Logger) *tail {
	return &tail{listening: make(chan URL, 1), log: log}
}

func (t *tail) Write(data []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(data)
	for {
		line, rest, whole := bytes.Cut(data, []byte{'\n'})
		if room := 4*tailWidth - len(t.partial); room > 0 {
			t.partial = append(t.partial, line[:min(len(line), room)]...)
		}
		if !whole {
			return n, nil
		}
		t.line(strings.TrimSpace(string(t.partial)))
		t.partial, data = t.partial[:0], rest
	}
}

func (t *tail) line(s string) {
	if s == "" {
		return
	}
	if raw, ok := strings.CutPrefix(s, listeningPrefix); ok {
		t.found(raw)
	}
	s = URL{}.ScrubText(s)
	if len(s) > tailWidth {
		s = strings.ToValidUTF8(s[:tailWidth], "") + "…"
	}
	t.log.Trace("browser stderr", "line", s)
	if len(t.kept) == tailLines {
		t.kept = append(t.kept[:0], t.kept[1:]...)
	}
	t.kept = append(t.kept, s)
}

func (t *tail) found(raw string) {
	p, err := url.Parse(raw)
	if err != nil || t.told || p.Scheme != "ws" || !isLoopbackHost(p.Hostname()) {
		return
	}
	t.told = true
	t.listening <- makeURL(p, true)
}

// lines returns the last lines, oldest first.
func (t *tail) lines() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := append([]string{}, t.kept...)
	if rest := strings.TrimSpace(string(t.partial)); rest != "" {
		all = append(all, URL{}.ScrubText(rest[:min(len(rest), tailWidth)]))
	}
	return all
}

// quote returns the last lines as a sentence to append to a message.
func (t *tail) quote() string {
	all := t.lines()
	if len(all) == 0 {
		return " It wrote nothing to stderr."
	}
	return " Its last words: " + strings.Join(all, " | ")
}
