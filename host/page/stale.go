package page

import (
	"slices"
	"strings"

	"cdphost/sdk/fault"
)

// candidatesShown is how many elements a stale uid's error offers.
const candidatesShown = 3

// stale makes the error of a uid whose node is gone: why, and which elements of
// the page come closest to it now.
func (r *run) stale(tab *Tab, k *known, cause string) error {
	text := map[string]string{
		"navigated":  "the document it was in was left",
		"frame gone": "the frame it was in is gone",
		"removed":    "it was removed from the page",
		"replaced":   "it was removed from the page and another one took its place",
	}
	candidates := r.candidates(tab, k)
	if cause == "removed" && len(candidates) > 0 && candidates[0].same {
		cause = "replaced"
	}
	lines := make([]string, len(candidates))
	for i, c := range candidates {
		lines[i] = c.text
	}
	message := k.uid + " is stale: " + text[cause] + "; extract again"
	if len(lines) > 0 {
		message += ". Closest now: " + strings.Join(lines, "; ")
	}
	e := fault.New(fault.ElementStale, "%s", message).With("cause", cause)
	if len(lines) > 0 {
		e = e.With("candidates", lines)
	}
	return e
}

type candidate struct {
	text  string
	score int
	same  bool
}

// candidates ranks the page's elements by how much they are like k. A page that
// can't be read offers none.
func (r *run) candidates(tab *Tab, k *known) []candidate {
	if k.role == "" {
		return nil
	}
	docs, err := r.collect(tab.Frames, nil, nil)
	if err != nil {
		return nil
	}
	var out []candidate
	for _, doc := range docs {
		if doc == nil {
			continue
		}
		for i := range doc.Items {
			it := &doc.Items[i]
			if it.Role == "heading" || it.Role == "iframe" {
				continue
			}
			c := candidate{score: likeness(k, it)}
			if c.score < 4 {
				continue
			}
			c.same = it.Role == k.role && it.Name == k.name
			c.text = it.line(r.uids.of(tab.ID, node{doc.frame.ID, doc.Doc, it.N}, it.Role, it.Name, it.Context))
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b candidate) int { return b.score - a.score })
	return out[:min(len(out), candidatesShown)]
}

// likeness is 0 to 10: the same name counts most, then the context, then the role.
func likeness(k *known, it *item) int {
	score := 0
	if it.Role == k.role {
		score += 2
	}
	a, b := strings.ToLower(it.Name), strings.ToLower(k.name)
	switch {
	case a == b && a != "":
		score += 5
	case a != "" && b != "" && (strings.Contains(a, b) || strings.Contains(b, a)):
		score += 3
	}
	if k.context != "" && it.Context == k.context {
		score += 3
	}
	return score
}
