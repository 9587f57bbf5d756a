package watch

import (
	"context"
	"time"
)

// endTime bounds the sending of the last spans to an endpoint that is let go.
const endTime = 5 * time.Second

// Change is what Prepare made ready: Commit or Discard it.
type Change struct {
	w        *Watch
	settings Settings
	changes  []string
	file     *auditFile // nil to keep, or for none
	tracing  *tracing   // likewise
}

// Prepare makes ready what settings need and the Watch does not have, so that
// Commit can't fail: fault.ConfigInvalid says what is wrong. changes say in words
// what else has changed in the configuration.
func (w *Watch) Prepare(s Settings, changes []string) (*Change, error) {
	c := &Change{w: w, settings: s, changes: changes}
	old := w.settings.Load()
	var err error
	if s.AuditFile != "" && s.AuditFile != old.AuditFile {
		if c.file, err = openAudit(s.AuditFile); err != nil {
			return nil, err
		}
	}
	if s.OTLPEndpoint != "" && s.OTLPEndpoint != old.OTLPEndpoint {
		if c.tracing, err = startTracing(s.OTLPEndpoint, w.opts.Version, w.opts.Logger); err != nil {
			c.Discard()
			return nil, err
		}
	}
	return c, nil
}

// Discard drops what was made ready. After Commit it does nothing.
func (c *Change) Discard() {
	if c.file != nil {
		_ = c.file.close()
	}
	if c.tracing != nil {
		c.tracing.end()
	}
	c.file, c.tracing = nil, nil
}

// Commit brings the settings into force and records that. Changes must not be
// committed at once.
func (c *Change) Commit() {
	w, old := c.w, c.w.settings.Load()
	if c.settings.AuditFile != old.AuditFile {
		var before *auditFile
		file := c.file
		w.feed.wait(func(l *ledger) { before = l.use(file) })
		if before != nil {
			_ = before.close()
		}
	}
	w.settings.Store(&c.settings)
	if c.settings.OTLPEndpoint != old.OTLPEndpoint {
		if before := w.tracing.Swap(c.tracing); before != nil {
			before.end()
		}
	}
	c.file, c.tracing = nil, nil
	changes := c.changes
	w.record(0, func(e *entry) { e.Kind, e.Changes = "config", changes })
}

// end closes t, in bounded time.
func (t *tracing) end() {
	ctx, cancel := context.WithTimeout(context.Background(), endTime)
	defer cancel()
	_ = t.close(ctx) // it has said what failed
}
