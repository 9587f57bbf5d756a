package cdp

import (
	"sync/atomic"

	"github.com/hashicorp/go-hclog"
)

const (
	// provenReplies is how many replies of a connection are checked in full
	// before the shape of the rest is trusted.
	provenReplies = 32

	// provenSize is the longest message that is checked, in bytes; a parser
	// takes seconds over the largest.
	provenSize = 64 << 10
)

// decoder takes messages apart with scan as long as the peer writes them as
// Chrome does, which it checks on the first event of each method and on the
// first replies. A peer found to add members of its own is parsed from then on.
type decoder struct {
	log      hclog.Logger
	foreign  bool
	replies  int
	methods  names
	sessions names
	parsed   *atomic.Uint64 // counts the messages that needed the parser
}

func newDecoder(log hclog.Logger, parsed *atomic.Uint64) decoder {
	return decoder{log: log, parsed: parsed, methods: newNames(), sessions: newNames()}
}

// decode reports false when msg is no CDP message.
func (d *decoder) decode(msg []byte, e *envelope) bool {
	if !d.foreign && scan(msg, e) {
		if len(msg) > provenSize || d.trusted(e) {
			return true
		}
		shape := *e
		if !parse(msg, e) {
			return false
		}
		if !e.equal(&shape) {
			d.foreign = true
			d.log.Warn("the peer does not write messages as Chrome does; each is parsed in full from now on")
		}
		return true
	}
	d.parsed.Add(1)
	return parse(msg, e)
}

// trusted reports whether messages like e have been checked before.
func (d *decoder) trusted(e *envelope) bool {
	if e.isReply() {
		d.replies++
		return d.replies > provenReplies
	}
	return d.methods.knows(e.method)
}
