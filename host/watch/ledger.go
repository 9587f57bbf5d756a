package watch

import (
	"bufio"
	"encoding/json"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-hclog"
)

// ledger writes entries to the audit file, if there is one. It belongs to one
// goroutine.
type ledger struct {
	log     hclog.Logger
	dropped *atomic.Uint64 // entries that never came here
	told    uint64         // of dropped and lost, what the record says
	lost    uint64         // entries that could not be written

	file    *auditFile
	out     *bufio.Writer
	pending uint64 // entries in out
	seq     uint64
	failing bool
}

// use replaces the file, nil for none, and returns the old one to be closed.
func (l *ledger) use(f *auditFile) (old *auditFile) {
	l.flush()
	old, l.file = l.file, f
	l.told, l.lost, l.failing = l.dropped.Load(), 0, false
	if f != nil {
		l.out = bufio.NewWriterSize(f, 64<<10)
	}
	return old
}

// write adds one entry, after one that says how many were lost before it.
func (l *ledger) write(at time.Time, config string, fill func(*entry)) {
	if l.file == nil {
		return
	}
	if lost := l.dropped.Load() + l.lost - l.told; lost > 0 {
		l.told += lost
		l.add(&entry{Time: at.UTC(), Config: config, Kind: "dropped", Count: lost})
	}
	e := entry{Time: at.UTC(), Config: config}
	fill(&e)
	l.add(&e)
}

func (l *ledger) add(e *entry) {
	l.seq++
	e.Seq = l.seq
	line, err := json.Marshal(e)
	if err != nil {
		l.log.Error("an entry of the audit log could not be written", "kind", e.Kind, "error", err)
		l.lost++
		return
	}
	if l.out.Available() < len(line)+1 {
		l.flush()
	}
	l.pending++
	_, _ = l.out.Write(line) // flush has its error
	_ = l.out.WriteByte('\n')
}

// flush puts what is written into the file. What a file does not take is lost,
// counted, and said when it takes entries again.
func (l *ledger) flush() {
	if l.file == nil || l.pending == 0 {
		return
	}
	err := l.file.settle()
	if err == nil {
		err = l.out.Flush()
	}
	if err == nil {
		l.pending, l.failing = 0, false
		return
	}
	if !l.failing {
		l.log.Error("the audit log can't be written; entries are lost until it can", "error", err)
	}
	l.failing = true
	l.lost += l.pending
	l.pending = 0
	l.out.Reset(l.file)
}

// close writes the rest. The goroutine has ended.
func (l *ledger) close() error {
	old := l.use(nil)
	if old == nil {
		return nil
	}
	return old.close()
}
