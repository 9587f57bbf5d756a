package server

import "net/http"

// serveMetrics serves the metrics to whoever has a token that is not a toolset's
// own, and where there is no such token to this machine only.
func (s *Server) serveMetrics(w http.ResponseWriter, r *http.Request) {
	h := s.opts.Metrics()
	if h == nil {
		http.NotFound(w, r)
		return
	}
	tokens := tokensOf(s.currentAccess().Tokens, "")
	_, known := caller(tokens, "", r)
	switch {
	case !known:
		w.Header().Set("WWW-Authenticate", `Bearer realm="cdphost"`)
		http.Error(w, "Unauthorized: send server.token", http.StatusUnauthorized)
	case len(tokens) == 0 && !isLoopbackName(hostname(r.RemoteAddr)):
		http.Error(w, "Forbidden: without server.token metrics are for this machine only", http.StatusForbidden)
	default:
		h.ServeHTTP(w, r)
	}
}
