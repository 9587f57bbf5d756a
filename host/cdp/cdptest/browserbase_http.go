package cdptest

import (
	"encoding/json"
	"net/http"
	"time"
)

func (b *Browserbase) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/sessions", b.authorised(b.create))
	mux.HandleFunc("GET /v1/sessions/{id}", b.authorised(b.get))
	mux.HandleFunc("POST /v1/sessions/{id}", b.authorised(b.release))
	mux.HandleFunc("GET /connect", b.connect)
	return mux
}

func (b *Browserbase) authorised(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-BB-API-Key") != b.opts.Key {
			refuse(w, http.StatusUnauthorized, "Unauthorized")
			return
		}
		next(w, r)
	}
}

func refuse(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(M{"statusCode": status, "message": message}) // a client that left is its own affair
}

func (b *Browserbase) create(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		KeepAlive bool  `json:"keepAlive"`
		Timeout   int64 `json:"timeout"` // seconds
	}
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	life := b.opts.Life
	if asked.Timeout > 0 {
		life = time.Duration(asked.Timeout) * time.Second
	}
	s, err := b.rent(r.Context(), life, asked.KeepAlive)
	if err != nil {
		refuse(w, http.StatusInternalServerError, err.Error())
		return
	}
	b.show(w, s)
}

func (b *Browserbase) get(w http.ResponseWriter, r *http.Request) {
	if s := b.find(r.PathValue("id")); s != nil {
		b.show(w, s)
		return
	}
	refuse(w, http.StatusNotFound, "Session not found")
}

func (b *Browserbase) release(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Status string `json:"status"`
	}
	s := b.find(r.PathValue("id"))
	if s == nil {
		refuse(w, http.StatusNotFound, "Session not found")
		return
	}
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || asked.Status != "REQUEST_RELEASE" {
		refuse(w, http.StatusBadRequest, "status must be REQUEST_RELEASE")
		return
	}
	s.end(SessionCompleted)
	b.show(w, s)
}

func (b *Browserbase) show(w http.ResponseWriter, s *rented) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(M{ // a client that left is its own affair
		"id": s.id, "status": s.state(), "keepAlive": s.keepAlive, "expiresAt": s.expires.UTC(),
		"connectUrl": "ws://" + b.addr + "/connect?sessionId=" + s.id + "&signingKey=" + s.signingKey,
	})
}

// connect serves a session's connect URL, as long as the session runs. A session
// that does not keep alive ends with its connection.
func (b *Browserbase) connect(w http.ResponseWriter, r *http.Request) {
	s := b.find(r.URL.Query().Get("sessionId"))
	switch {
	case s == nil || r.URL.Query().Get("signingKey") != s.signingKey:
		refuse(w, http.StatusUnauthorized, "Unauthorized")
	case s.state() != SessionRunning:
		refuse(w, http.StatusGone, "Session is not running")
	default:
		b.work.Add(1)
		defer b.work.Done()
		s.proxy.ServeHTTP(w, r)
		if !s.keepAlive {
			s.end(SessionCompleted)
		}
	}
}
