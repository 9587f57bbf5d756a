package anthropic

import (
	"encoding/json"
	"errors"
	"net/http"

	api "github.com/anthropics/anthropic-sdk-go"

	"cdphost/host/subagent"
	"cdphost/host/subagent/internal/modelhttp"
)

var (
	errNoEvents   = errors.New("the reply has no event of a message")
	errUnfinished = errors.New("the stream ended without message_stop")
)

// statusOf gives the errors of the protocol the HTTP status that they have when
// they do not come inside a stream.
var statusOf = map[string]int{
	"invalid_request_error": http.StatusBadRequest,
	"authentication_error":  http.StatusUnauthorized,
	"billing_error":         http.StatusPaymentRequired,
	"permission_error":      http.StatusForbidden,
	"not_found_error":       http.StatusNotFound,
	"request_too_large":     http.StatusRequestEntityTooLarge,
	"rate_limit_error":      http.StatusTooManyRequests,
	"timeout_error":         http.StatusGatewayTimeout,
	"overloaded_error":      529,
	"api_error":             http.StatusInternalServerError,
}

// explain gives an error of the client its place among the failures.
func (m *Model) explain(err, cause error, begun, pictures bool) *subagent.ModelError {
	var refused *api.Error
	if errors.As(err, &refused) {
		return m.refused(refused, begun, pictures)
	}
	return m.service.Failed(err, cause, begun)
}

func (m *Model) refused(e *api.Error, begun, pictures bool) *subagent.ModelError {
	var body struct {
		Error struct {
			Type    string `json:"type"`
			Message string `json:"message"`
		} `json:"error"`
	}
	_ = json.Unmarshal([]byte(e.RawJSON()), &body) // a proxy's page has neither
	a := modelhttp.Answer{Status: e.StatusCode, Code: body.Error.Type, Message: body.Error.Message, Pictures: pictures}
	if e.Response != nil {
		a.Header = e.Response.Header
	}
	if e.StatusCode == http.StatusOK { // it came inside a stream
		a.Status = http.StatusInternalServerError
		if s, ok := statusOf[body.Error.Type]; ok {
			a.Status = s
		}
	}
	out := m.service.Refused(a)
	out.Spent = begun
	return out
}
