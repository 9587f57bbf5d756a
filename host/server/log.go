package server

import (
	"context"
	"log/slog"

	"github.com/hashicorp/go-hclog"
)

// sdkLogger hands the MCP SDK's log to ours, one level lower than it says: a
// client that goes away is an error to the SDK and everyday life here.
func sdkLogger(l hclog.Logger) *slog.Logger {
	return slog.New(&slogHandler{log: l.Named("mcp")})
}

type slogHandler struct {
	log   hclog.Logger
	attrs []any
}

func (h *slogHandler) level(l slog.Level) hclog.Level {
	switch {
	case l >= slog.LevelError:
		return hclog.Warn
	case l >= slog.LevelWarn:
		return hclog.Debug
	default:
		return hclog.Trace
	}
}

// Enabled implements slog.Handler.
func (h *slogHandler) Enabled(_ context.Context, l slog.Level) bool {
	return h.log.GetLevel() <= h.level(l)
}

// Handle implements slog.Handler.
func (h *slogHandler) Handle(_ context.Context, r slog.Record) error {
	args := h.attrs[:len(h.attrs):len(h.attrs)]
	r.Attrs(func(a slog.Attr) bool {
		args = append(args, a.Key, a.Value.Any())
		return true
	})
	h.log.Log(h.level(r.Level), r.Message, args...)
	return nil
}

// WithAttrs implements slog.Handler.
func (h *slogHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	c := &slogHandler{log: h.log, attrs: h.attrs[:len(h.attrs):len(h.attrs)]}
	for _, a := range attrs {
		c.attrs = append(c.attrs, a.Key, a.Value.Any())
	}
	return c
}

// WithGroup implements slog.Handler; groups are not told apart.
func (h *slogHandler) WithGroup(string) slog.Handler { return h }
