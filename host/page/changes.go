package page

import (
	"strconv"
	"strings"
)

// extractsKeep is how many extracts of a tab can be compared with.
const extractsKeep = 4

// extraction is what an extract told, for the comparison with a later one. Of the
// elements that it did not tell, the pages themselves know that they were there.
type extraction struct {
	version  string
	elements map[string]string // uid to line
	order    []string
	passages map[string]bool
}

// remember makes the record of an extract.
func remember(version string, list *listing, words *reading) *extraction {
	e := &extraction{version: version, elements: make(map[string]string, list.count), passages: make(map[string]bool)}
	for _, l := range list.lines {
		if l.uid != "" {
			e.elements[l.uid] = l.text
			e.order = append(e.order, l.uid)
		}
	}
	for p := range strings.Lines(words.markdown) {
		e.passages[strings.TrimSpace(p)] = true
	}
	return e
}

// since leaves in list and words only what is new or changed since old, and
// tells in out what is gone.
func (e *extraction) since(old *extraction, list *listing, words *reading, out *extracted) {
	var fresh []line
	for _, l := range list.lines {
		was, there := old.elements[l.uid]
		switch {
		case l.uid == "" || was == l.text:
		case !there && l.old: // it was there, but not told
		case there:
			fresh = append(fresh, line{uid: l.uid, text: "~ " + l.text})
		default:
			fresh = append(fresh, line{uid: l.uid, text: "+ " + l.text})
		}
	}
	list.lines = fresh
	for _, uid := range old.order {
		if _, there := e.elements[uid]; !there {
			out.Gone = append(out.Gone, clip(old.elements[uid], 80))
		}
	}
	if n := len(out.Gone); n > goneShown {
		out.Gone = append(out.Gone[:goneShown], "and "+strconv.Itoa(n-goneShown)+" more")
	}
	var passages strings.Builder
	for p := range strings.Lines(words.markdown) {
		if s := strings.TrimSpace(p); s != "" && !old.passages[s] {
			passages.WriteString(s + "\n")
		}
	}
	words.markdown, words.text, words.cut = passages.String(), "", false
}

// goneShown bounds the list of elements that are gone.
const goneShown = 20

// version names the next extract.
func (s *sessions) version() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.versions++
	return "v" + strconv.Itoa(s.versions)
}

// keep stores an extract under its version.
func (s *sessions) keep(tabID string, e *extraction) {
	s.mu.Lock()
	defer s.mu.Unlock()
	rec := s.record(tabID)
	rec.extracts = append(rec.extracts, e)
	if n := len(rec.extracts); n > extractsKeep {
		rec.extracts = rec.extracts[n-extractsKeep:]
	}
}

// extraction returns a stored extract.
func (s *sessions) extraction(tabID, version string) (*extraction, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if version == "" || s.tabs[tabID] == nil {
		return nil, false
	}
	for _, e := range s.tabs[tabID].extracts {
		if e.version == version {
			return e, true
		}
	}
	return nil, false
}
