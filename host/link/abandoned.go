package link

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cdphost/host/endpoint"
)

// abandoned is a journal that nobody serves any more. It is held open, and
// locked, until done or leave.
type abandoned struct {
	file  *os.File
	tag   string // of the last browser that it names
	items []item
}

// abandonedIn opens the journals in dir whose makers are gone or gave up.
func abandonedIn(dir string) []*abandoned {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var out []*abandoned
	for _, e := range entries {
		if !e.Type().IsRegular() || !strings.HasSuffix(e.Name(), journalSuffix) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		info, err := e.Info()
		old := err == nil && time.Since(info.ModTime()) > journalKeep
		f, err := endpoint.OpenAbandoned(path)
		switch {
		case err == nil && old:
			_ = f.Close()
			_ = os.Remove(path)
		case err == nil:
			out = append(out, readJournal(f))
		case old && errors.Is(err, endpoint.ErrNoOwner):
			_ = os.Remove(path)
		}
	}
	return out
}

// readJournal reads what a journal has left. A line that was cut short ends it.
func readJournal(r *os.File) *abandoned {
	a := &abandoned{file: r}
	live := map[item]struct{}{}
	var order []item
	scan := bufio.NewScanner(r)
	for scan.Scan() {
		text := strings.TrimSpace(scan.Text())
		if text == "" {
			continue
		}
		var l line
		if json.Unmarshal([]byte(text), &l) != nil {
			break
		}
		switch {
		case l.Browser != "":
			a.tag = l.Browser
		case l.Gone:
			delete(live, l.item)
		case l.ID != "":
			live[l.item] = struct{}{}
			order = append(order, l.item)
		}
	}
	for _, it := range order {
		if _, ok := live[it]; ok {
			a.items = append(a.items, it)
		}
	}
	return a
}

// done removes the journal.
func (a *abandoned) done() {
	_ = os.Remove(a.file.Name()) // first, so that nobody else takes it
	_ = a.file.Close()
	_ = os.Remove(a.file.Name()) // where open files can't be removed
}

// leave keeps the journal for the browser that it is about.
func (a *abandoned) leave() { _ = a.file.Close() }
