// Package modeltest is a language model for tests: a server on loopback that
// speaks the real protocols of OpenAI and Anthropic, streaming included, and
// says what a script tells it.
package modeltest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
)

// Protocol is the language of a request.
type Protocol string

// Protocols.
const (
	OpenAI    Protocol = "openai"
	Anthropic Protocol = "anthropic"
)

// Server is a scripted model. It is safe for concurrent use.
type Server struct {
	// URL is the base URL for either protocol, ending in /v1.
	URL string

	tb     testing.TB
	script func(*Request) Turn

	mu       sync.Mutex
	requests []*Request
}

// New starts a server that says the turns one after another. Being asked more
// often is an error of the test.
func New(tb testing.TB, turns ...Turn) *Server {
	tb.Helper()
	return Play(tb, func(r *Request) Turn {
		if r.Number > len(turns) {
			tb.Errorf("the model was asked %d times; the script has %d turns. Last: %s", r.Number, len(turns), r.Last())
			return Turn{Status: http.StatusTeapot, Message: "the script is over"}
		}
		return turns[r.Number-1]
	})
}

// Play starts a server that answers as the function says.
func Play(tb testing.TB, script func(*Request) Turn) *Server {
	tb.Helper()
	s := &Server{tb: tb, script: script}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", s.serve(readOpenAI, openAI{}))
	mux.HandleFunc("POST /v1/messages", s.serve(readAnthropic, anthropic{}))
	h := httptest.NewServer(mux)
	tb.Cleanup(func() {
		h.CloseClientConnections()
		h.Close()
	})
	s.URL = h.URL + "/v1"
	return s
}

// Requests returns all requests so far.
func (s *Server) Requests() []*Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// writer writes a turn in one of the protocols.
type writer interface {
	refuse(http.ResponseWriter, Turn)
	// events lists what the stream consists of, the last one being its end.
	events(Turn) []string
	broken(Turn) string
}

func (s *Server) serve(read func(*http.Request, []byte) (*Request, error), out writer) http.HandlerFunc {
	return func(w http.ResponseWriter, hr *http.Request) {
		body, err := io.ReadAll(hr.Body)
		if err != nil {
			return // the client went away
		}
		req, err := read(hr, body)
		if err != nil {
			s.tb.Errorf("a request is not in the protocol: %v: %s", err, body)
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		req.Raw = body
		s.mu.Lock()
		s.requests = append(s.requests, req)
		req.Number = len(s.requests)
		s.mu.Unlock()
		play(w, hr, s.script(req), out)
	}
}

func play(w http.ResponseWriter, hr *http.Request, t Turn, out writer) {
	switch {
	case t.Hang:
		<-hr.Context().Done()
		return
	case t.Page:
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<html>Sign in</html>") // the client may be gone
		return
	case t.Status != 0:
		for k, v := range t.Header {
			w.Header()[k] = v
		}
		w.Header().Set("Content-Type", "application/json")
		out.refuse(w, t)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	events := out.events(t)
	stop := len(events)
	if t.Cut || t.Unfinished || t.Broken {
		stop = len(events) / 2
	}
	for _, e := range events[:stop] {
		_, _ = io.WriteString(w, e) // the client may be gone
		_ = http.NewResponseController(w).Flush()
	}
	if t.Broken {
		_, _ = io.WriteString(w, out.broken(t))
	}
	if t.Cut {
		panic(http.ErrAbortHandler)
	}
}

func quote(s string) string {
	out, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string always marshals
	}
	return string(out)
}

func encode(v any) string {
	out, err := json.Marshal(v)
	if err != nil {
		panic(err) // only maps of plain values come here
	}
	return string(out)
}

// pieces cuts a text as models send it.
func pieces(text string) []string {
	size := max(9, len(text)/20)
	var out []string
	for len(text) > size {
		out = append(out, text[:size])
		text = text[size:]
	}
	return append(out, text)
}
