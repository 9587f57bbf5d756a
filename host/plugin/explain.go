package plugin

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"cdphost/sdk/fault"
	"cdphost/sdk/proto/wire"
)

// explain turns a failed start into one sentence that says what to do.
func explain(spec *Spec, p *process, err error) error {
	where := spec.Path
	if spec.Builtin != "" {
		where = "builtin " + spec.Builtin
	}
	fail := func(format string, args ...any) error {
		return fault.Wrap(err, fault.PluginUnavailable, "plugin %s: %s", spec.Name, fmt.Sprintf(format, args...))
	}
	if p.PID() == 0 {
		return fail("%s can't be started: %v", where, p.err)
	}
	printed, version := p.handshake.text(), p.handshake.version()
	switch {
	case version != "" && version != fmt.Sprint(wire.ProtocolVersion):
		return fail("%s speaks version %s of the plugin protocol and this cdphost version %d; build it with this cdphost's SDK",
			where, version, wire.ProtocolVersion)
	case version != "":
		return fail("%s ended during the handshake%s", where, p.lastWords())
	case errors.Is(err, context.Canceled):
		return fail("the start of %s was cancelled", where)
	case printed != "":
		return fail("%s is not a cdphost plugin: it printed %q where a plugin prints its handshake", where, printed)
	case errors.Is(err, context.DeadlineExceeded), strings.Contains(err.Error(), "timeout while waiting"):
		return fail("%s is not a cdphost plugin, or hangs: no handshake in time%s", where, p.lastWords())
	default:
		return fail("%s is not a cdphost plugin: it %s without a handshake%s", where, p.exitText(), p.lastWords())
	}
}

// lastWords quotes the end of the plugin's stderr.
func (p *process) lastWords() string {
	select {
	case <-p.exited:
	case <-time.After(2 * pipeGrace):
	}
	last := p.log.last()
	if len(last) == 0 {
		return ""
	}
	return fmt.Sprintf("; it last wrote %q", clean(strings.Join(last, " / "), 400))
}
