package cdptest

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/coder/websocket"
)

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case strings.HasPrefix(r.URL.Path, "/devtools/browser"):
		s.serveSocket(w, r)
	case strings.TrimSuffix(r.URL.Path, "/") == "/json/version" && !s.opts.NoVersion:
		s.serveVersion(w, r)
	default:
		http.NotFound(w, r)
	}
}

func (s *Server) serveVersion(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	_ = json.NewEncoder(w).Encode(map[string]string{ // a client that left is its own affair
		"Browser":              product,
		"Protocol-Version":     "1.3",
		"User-Agent":           userAgent,
		"V8-Version":           jsVersion,
		"WebKit-Version":       "537.36 (@0)",
		"webSocketDebuggerUrl": "ws://" + r.Host + "/devtools/browser/" + s.id,
	})
}

func (s *Server) serveSocket(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Origin") != "" {
		// Chrome does so unless --remote-allow-origins names the origin.
		http.Error(w, "Rejected an incoming WebSocket connection from the origin", http.StatusForbidden)
		return
	}
	if s.opts.OneConnection && s.Connections() > 0 {
		http.Error(w, "Too Many Requests", http.StatusTooManyRequests)
		return
	}
	ws, err := websocket.Accept(w, r, &websocket.AcceptOptions{CompressionMode: websocket.CompressionDisabled})
	if err != nil {
		return // Accept has answered
	}
	ws.SetReadLimit(-1)
	c := newConn(s, ws)
	if !s.admit(c) {
		_ = ws.CloseNow()
		return
	}
	defer s.conns.Done()
	c.serve()
}

// admit files a new socket, unless the server is closing.
func (s *Server) admit(c *conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.died != "" {
		return false
	}
	s.conns.Add(1)
	s.sockets++
	c.number = s.sockets
	s.clients = append(s.clients, c)
	return true
}
