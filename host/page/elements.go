package page

import (
	"context"
	"strconv"
	"strings"
)

// line is one line of the element list.
type line struct {
	uid  string // "" for headings and frame marks
	text string
	old  bool // an earlier extract, which is compared with, had the element
}

// listing is the element list of a page.
type listing struct {
	lines []line
	count int
	cut   bool // the page has elements that are not in lines
	url   string
	title string
}

// wanted is what a list is to hold.
type wanted struct {
	scope *located // the part of the page; nil is all of it
	max   int      // characters that are enough; 0 is all there is
	mark  string   // the name by which the pages remember the list; "" for none
	since string   // the list with which it is compared; "" for none
}

// args are the walker's arguments for a whole document.
func (w wanted) args() map[string]any {
	return map[string]any{"max": w.max, "mark": w.mark, "since": w.since}
}

// list returns the elements of a page, each frame's where its element stands.
func (r *run) list(tab *Tab, w wanted) (*listing, error) {
	frames := tab.Frames
	first := w.args()
	if w.scope != nil {
		frames = below(tab.Frames, w.scope.frame)
		first["n"] = w.scope.N
	}
	docs, err := r.collect(frames, first, w.args())
	if err != nil {
		return nil, err
	}
	l := &lister{run: r, tab: tab, docs: docs, done: make([]bool, len(docs))}
	l.write(0)
	r.worlds.keep(r.host.State())
	r.uids.prune(r.shown)
	return &listing{lines: l.lines, count: l.count, cut: l.cut, url: docs[0].URL, title: docs[0].Title}, nil
}

// shown tells whether a document is still the one of its frame.
func (r *run) shown(frame, doc string) bool {
	r.worlds.mu.Lock()
	defer r.worlds.mu.Unlock()
	w := r.worlds.of[frame]
	return w != nil && w.doc == doc
}

// below returns a frame and all frames inside it.
func below(frames []Frame, top Frame) []Frame {
	in := map[string]bool{top.ID: true}
	out := []Frame{top}
	for _, f := range frames {
		if in[f.ParentID] && f.ID != top.ID {
			in[f.ID] = true
			out = append(out, f)
		}
	}
	return out
}

// lister writes documents into lines.
type lister struct {
	*run
	tab   *Tab
	docs  []*walked
	done  []bool
	lines []line
	count int
	cut   bool
}

func (l *lister) write(i int) {
	l.done[i] = true
	doc := l.docs[i]
	l.count += doc.Count
	l.cut = l.cut || doc.Cut
	if doc.silent {
		l.lines = append(l.lines, line{text: "  (this frame does not answer)"})
		return
	}
	var children map[int]int // number of the frame's element to its document
	if i == 0 || hasFrames(doc) {
		children = l.children(doc)
	}
	var heading *line
	for k := range doc.Items {
		it := &doc.Items[k]
		switch it.Role {
		case "heading":
			heading = &line{text: strings.Repeat("#", min(max(it.Level, 1), 6)) + " " + it.Name}
			continue
		case "iframe":
			child, ok := children[it.N]
			if !ok || l.done[child] || !l.holds(child) {
				continue
			}
			l.heading(&heading)
			l.lines = append(l.lines, line{text: l.mark(doc, l.docs[child], it.Name)})
			l.write(child)
			l.lines = append(l.lines, line{text: "--- end of frame"})
			continue
		}
		l.heading(&heading)
		uid := l.uids.of(l.tab.ID, node{doc.frame.ID, doc.Doc, it.N}, it.Role, it.Name, it.Context)
		l.lines = append(l.lines, line{uid: uid, text: it.line(uid), old: it.Old})
	}
}

func (l *lister) heading(h **line) {
	if *h != nil {
		l.lines = append(l.lines, **h)
		*h = nil
	}
}

func hasFrames(doc *walked) bool {
	for i := range doc.Items {
		if doc.Items[i].Role == "iframe" {
			return true
		}
	}
	return false
}

// holds tells whether a frame is worth a mark.
func (l *lister) holds(i int) bool { return l.docs[i].silent || len(l.docs[i].Items) > 0 }

// children finds out which child frame each frame element of doc shows.
func (l *lister) children(doc *walked) map[int]int {
	out := make(map[int]int)
	ctx, cancel := context.WithTimeout(l.ctx, frameTimeout)
	defer cancel()
	for i, child := range l.docs {
		if child.frame.ParentID != doc.frame.ID || child == doc {
			continue
		}
		if n, err := l.owner(ctx, doc.frame, child.frame); err == nil {
			out[n] = i
		}
	}
	return out
}

// mark introduces a frame; the origin of one that is not its parent's is named,
// because its text has another author.
func (l *lister) mark(parent, child *walked, name string) string {
	var b strings.Builder
	b.WriteString("--- frame")
	if name != "" {
		b.WriteString(" " + strconv.Quote(name))
	}
	if child.Origin != parent.Origin && child.Origin != "" {
		b.WriteString(" from " + child.Origin)
	}
	b.WriteString(" (frame_id " + child.frame.ID + ")")
	return b.String()
}

// line writes an element as an agent reads it: e4 button "View" (row: Jane Doe).
func (it *item) line(uid string) string {
	var b strings.Builder
	b.WriteString(uid + " " + it.Role)
	if it.Name != "" {
		b.WriteString(" " + quote(it.Name))
	}
	if it.Value != "" {
		b.WriteString(" = " + quote(it.Value))
	}
	if len(it.States) > 0 {
		b.WriteString(" [" + strings.Join(it.States, ", ") + "]")
	}
	if it.Context != "" || it.Order != "" {
		both := it.Context
		if both != "" && it.Order != "" {
			both += ", "
		}
		b.WriteString(" (" + both + it.Order + ")")
	}
	if it.Href != "" {
		b.WriteString(" → " + it.Href)
	}
	if len(it.Options) > 0 {
		b.WriteString(" options: " + strings.Join(it.Options, " | "))
		if it.MoreOptions > 0 {
			b.WriteString(" | ... " + strconv.Itoa(it.MoreOptions) + " more")
		}
	}
	return b.String()
}

var quoting = strings.NewReplacer("\n", " ", "\r", " ", `"`, `'`)

// quote sets a text of the page in quotes on one line.
func quote(s string) string {
	return `"` + quoting.Replace(s) + `"`
}
