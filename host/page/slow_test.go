package page_test

import (
	"context"
	"net/http"
)

// slow is a host that answers no request before the test ends.
type slow struct{ ctx context.Context }

func (s slow) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	select {
	case <-s.ctx.Done():
	case <-r.Context().Done():
	}
}
