package endpoint

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// retryAfter reads a Retry-After header in either of its forms and returns whole
// seconds, rounded up.
func retryAfter(header string) (seconds int, ok bool) {
	header = strings.TrimSpace(header)
	if n, err := strconv.Atoi(header); err == nil && n >= 0 {
		return n, true
	}
	at, err := http.ParseTime(header)
	if err != nil {
		return 0, false
	}
	return int(max(0, time.Until(at)+time.Second-1) / time.Second), true
}
