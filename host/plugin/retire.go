package plugin

import (
	"os"
	"time"
)

// retire ends the supervision and the process; calls in flight have drain to
// finish.
func (u *unit) retire(drain time.Duration) {
	u.drain = drain
	close(u.stop)
	<-u.done
}

// current returns the generation that runs, nil while there is none.
func (u *unit) current() *generation {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.gen
}

// inOrder reports whether calls have a chance.
func (u *unit) inOrder() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.failure == "" && !u.breaker.open()
}

// serves reports whether the unit runs what spec asks for: the same
// configuration, the same program, and in order.
func (u *unit) serves(spec *Spec) bool {
	u.mu.Lock()
	failed := u.failure != "" || u.gen == nil
	u.mu.Unlock()
	return !failed && u.spec.equal(spec) && u.program == programOf(spec)
}

// program tells one build of a program from another.
type program struct {
	size    int64
	modTime int64
}

func programOf(spec *Spec) program {
	if spec.Path == "" {
		return program{}
	}
	info, err := os.Stat(spec.Path)
	if err != nil {
		return program{}
	}
	return program{info.Size(), info.ModTime().UnixNano()}
}
