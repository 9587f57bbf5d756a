package page

import "cdphost/sdk/fault"

var extract = &action{
	name: "extract",
	line: "read the page: elements (interactive ones, each with its uid, role, name, states, and the row or group that tells it from its twins), markdown, text. selector: only that part. cursor: go on where the last reply was cut. changed_since: a version; only what is new or gone since.",
	schema: takes("extract", onTab(may("selector", text()),
		may("max_bytes", integer("default 8192")), may("cursor", text()), may("changed_since", text()))...),
	reads: true,
	do:    perform(doExtract),
}

// Bytes of an extract.
const (
	defaultBytes = 8192
	leastBytes   = 512
	mostBytes    = 1 << 20

	// overhead is what a reply needs besides the page's content.
	overhead = 512

	// titleBytes is how much of a title is told.
	titleBytes = 300
)

type extractArgs struct {
	Selector     string `json:"selector"`
	MaxBytes     *int   `json:"max_bytes"`
	Cursor       string `json:"cursor"`
	ChangedSince string `json:"changed_since"`
}

// extracted is what an agent reads of a page. Elements has a line for each
// element; headings and frames stand between them.
type extracted struct {
	URL       string   `json:"url"`
	Title     string   `json:"title"`
	Version   string   `json:"version"`
	Elements  string   `json:"elements"`
	Count     int      `json:"element_count"`
	Markdown  string   `json:"markdown"`
	Text      string   `json:"text,omitempty"`
	Gone      []string `json:"gone,omitempty"`
	Note      string   `json:"note,omitempty"`
	Truncated bool     `json:"truncated"`
	Cursor    string   `json:"cursor,omitempty"`
}

func doExtract(r *run, a extractArgs) (any, error) {
	budget := defaultBytes
	if a.MaxBytes != nil {
		budget = *a.MaxBytes
	}
	if budget < leastBytes || budget > mostBytes {
		return nil, fault.New(fault.InvalidAction, "max_bytes is between %d and %d", leastBytes, mostBytes)
	}
	from, err := parseCursor(a.Cursor)
	if err != nil {
		return nil, err
	}
	tab, err := r.tab()
	if err != nil {
		return nil, err
	}
	var scope *located
	if a.Selector != "" {
		if scope, err = r.locate(element{Selector: a.Selector}); err != nil {
			return nil, err
		}
	}
	old, known := r.sessions.extraction(tab.ID, a.ChangedSince)
	want := wanted{scope: scope, mark: r.sessions.version()}
	switch {
	case known:
		want.since = old.version
	case from == cursor{}:
		want.max = budget
	}
	list, words, err := r.look(tab, want, from, budget)
	if err != nil {
		return nil, err
	}
	budget = max(budget-overhead-len(list.url)-2*min(len(list.title), titleBytes), leastBytes/4)
	out := &extracted{URL: list.url, Title: clip(list.title, titleBytes), Count: list.count}
	if a.ChangedSince != "" && !known {
		out.Note = "version " + a.ChangedSince + " is not known any more: this is the whole page"
	}
	now := remember(want.mark, list, words)
	r.sessions.keep(tab.ID, now)
	out.Version = now.version
	if known {
		now.since(old, list, words, out)
	}
	from.page(list, words, budget, out)
	return out, nil
}

// look lists the elements and reads the words of a page, the one while the other
// is on its way.
func (r *run) look(tab *Tab, want wanted, from cursor, budget int) (*listing, *reading, error) {
	var (
		words   *reading
		readErr error
		done    = make(chan struct{})
	)
	go func() {
		defer close(done)
		words, readErr = r.read(tab, want.scope, from.markdown+budget, from.text+budget)
	}()
	list, err := r.list(tab, want)
	<-done
	if err == nil && r.learned.Load() { // the list found closed shadow roots that the words lack
		words, readErr = r.read(tab, want.scope, from.markdown+budget, from.text+budget)
	}
	if err == nil {
		err = readErr
	}
	return list, words, err
}
