package link

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

	"cdphost/host/endpoint"

	"github.com/hashicorp/go-hclog"
)

const (
	// journalFolder is where journals are, below the user's private folder.
	journalFolder = "links"
	journalSuffix = ".journal"
	// journalKeep is how long the journal of a dead host is kept for a browser that
	// nobody has come back to.
	journalKeep = 30 * 24 * time.Hour
)

// item is something that a task made in a browser.
type item struct {
	Kind itemKind `json:"kind,omitempty"`
	ID   string   `json:"id,omitempty"`
}

type itemKind string

const (
	itemContext itemKind = "context" // a browser context
	itemPage    itemKind = "page"    // a page in a context that is not ours
)

// line is one line of a journal behind its owner's.
type line struct {
	item
	Browser string `json:"browser,omitempty"` // whose items follow, see browserTag
	Gone    bool   `json:"gone,omitempty"`    // the item is no more
}

// journal is a file that tells the next host what this one has made in a browser
// of somebody else's, where it would outlive a host that is killed. The file
// exists only while there is something to undo. Methods may be called at once, and
// those of a nil journal do nothing.
type journal struct {
	dir    string
	logger hclog.Logger

	mu   sync.Mutex
	file *os.File
	tag  string
	live map[item]struct{}
}

// newJournal returns a journal in dir, or in the user's own folder when dir is
// empty.
func newJournal(dir string, logger hclog.Logger) *journal {
	if dir == "" {
		var err error
		if dir, err = endpoint.PrivateFolder(journalFolder); err != nil {
			logger.Warn("what tasks make in browsers of others is not recorded; after a crash it stays there", "error", err)
			return nil
		}
	}
	return &journal{dir: dir, logger: logger, live: map[item]struct{}{}}
}

// browserTag names a browser without telling its address.
func browserTag(u endpoint.URL) string {
	sum := sha256.Sum256([]byte(u.Reveal()))
	return hex.EncodeToString(sum[:16])
}

// at says which browser the next items are in.
func (j *journal) at(u endpoint.URL) {
	if j == nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.tag = browserTag(u)
	if j.file != nil {
		j.writeLocked(line{Browser: j.tag})
	}
}

// made records an item, and gone that it is no more.
func (j *journal) made(it item) {
	if j == nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file == nil && !j.createLocked() {
		return
	}
	j.live[it] = struct{}{}
	j.writeLocked(line{item: it})
}

func (j *journal) gone(it item) {
	if j == nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if _, ok := j.live[it]; !ok {
		return
	}
	delete(j.live, it)
	if len(j.live) > 0 {
		j.writeLocked(line{item: it, Gone: true})
		return
	}
	j.removeLocked()
}

// moved records that an item goes by another id now.
func (j *journal) moved(kind itemKind, from, to string) {
	if j == nil {
		return
	}
	j.mu.Lock()
	_, ok := j.live[item{kind, from}]
	j.mu.Unlock()
	if ok {
		j.made(item{kind, to})
		j.gone(item{kind, from})
	}
}

func (j *journal) createLocked() bool {
	f, err := endpoint.CreateOwned(filepath.Join(j.dir, rand.Text()+journalSuffix))
	if err != nil {
		j.logger.Warn("what a task makes in a browser of somebody else is not recorded; after a crash it stays there", "error", err)
		return false
	}
	j.file = f
	j.writeLocked(line{Browser: j.tag})
	return true
}

func (j *journal) writeLocked(l line) {
	data, err := json.Marshal(l)
	if err == nil {
		_, err = j.file.Write(append(data, '\n'))
	}
	if err != nil {
		j.logger.Warn("a journal could not be written", "error", err)
	}
}

func (j *journal) removeLocked() {
	_ = j.file.Close()
	if err := os.Remove(j.file.Name()); err != nil && !errors.Is(err, os.ErrNotExist) {
		j.logger.Debug("a journal could not be removed", "error", err)
	}
	j.file = nil
}

// close ends the journal. What is left in it is for whoever comes to that browser
// next, this process included: the file loses its owner.
func (j *journal) close() {
	if j == nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file == nil {
		return
	}
	name := j.file.Name()
	var b bytes.Buffer
	b.WriteString("{}\n") // an owner that no process is
	w := json.NewEncoder(&b)
	err := w.Encode(line{Browser: j.tag})
	for it := range j.live {
		err = errors.Join(err, w.Encode(line{item: it}))
	}
	next := name + ".new"
	err = errors.Join(err, os.WriteFile(next, b.Bytes(), 0o600), j.file.Close())
	if err == nil {
		err = os.Rename(next, name)
	}
	if err != nil {
		j.logger.Debug("a journal keeps its owner until that ends", "error", err)
		_ = os.Remove(next)
	}
	j.file = nil
}
