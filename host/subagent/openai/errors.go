package openai

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	api "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/ssestream"

	"cdphost/host/subagent"
	"cdphost/host/subagent/internal/modelhttp"
)

var (
	errNoChunks   = errors.New("the reply has no chunk of a completion")
	errUnfinished = errors.New("the stream ended without a finish_reason")
)

// explain gives an error of the client its place among the failures.
func (m *Model) explain(err, cause error, begun, pictures bool) *subagent.ModelError {
	var refused *api.Error
	var inStream *ssestream.StreamError
	switch {
	case errors.As(err, &refused):
		a := modelhttp.Answer{Status: refused.StatusCode, Code: refused.Code, Message: refused.Message, Pictures: pictures}
		if refused.Response != nil {
			a.Header = refused.Response.Header
		}
		return m.service.Refused(a)
	case errors.As(err, &inStream):
		return m.inStream(inStream, begun, pictures)
	}
	return m.service.Failed(err, cause, begun)
}

// inStream explains an error that came as a chunk. Services put an HTTP status,
// a word or nothing into its code.
func (m *Model) inStream(e *ssestream.StreamError, begun, pictures bool) *subagent.ModelError {
	var body struct {
		Error struct {
			Code    json.RawMessage `json:"code"`
			Message string          `json:"message"`
		} `json:"error"`
	}
	if json.Unmarshal(e.Event.Data, &body) != nil {
		return m.service.Cut(e)
	}
	var code string
	status, err := strconv.Atoi(string(body.Error.Code))
	if err != nil {
		status = http.StatusInternalServerError
		_ = json.Unmarshal(body.Error.Code, &code) // not every service gives a word
	}
	out := m.service.Refused(modelhttp.Answer{Status: status, Code: code, Message: body.Error.Message, Pictures: pictures})
	out.Spent = begun
	return out
}
