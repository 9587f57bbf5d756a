package page

import (
	"context"
	"encoding/json"
	"sync"
	"time"
)

// Closed shadow roots can't be seen from inside a page. The browser's own search
// goes through them, so a count of all elements that is higher than the page's
// tells that there are some, at the cost of a round trip; only then is the whole
// tree read to find them.

// everything is a query of DOM.performSearch that all elements match, and texts
// that hold this character.
const everything = "<"

// countAll begins to count the elements behind each session of the frames, those in
// closed shadow roots included. The function it returns waits for the counts.
func (r *run) countAll(frames []Frame) func() map[string]int {
	counts := make(map[string]int)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, session := range sessionsOf(frames) {
		wg.Go(func() {
			n, err := r.countIn(session)
			if err != nil {
				return // a frame that is held or gone has nothing to find
			}
			mu.Lock()
			defer mu.Unlock()
			counts[session] = n
		})
	}
	return func() map[string]int {
		wg.Wait()
		return counts
	}
}

func sessionsOf(frames []Frame) []string {
	var out []string
	seen := make(map[string]bool)
	for _, f := range frames {
		if !seen[f.Session] {
			seen[f.Session] = true
			out = append(out, f.Session)
		}
	}
	return out
}

// countIn is DOM.performSearch, which needs DOM.enable.
func (r *run) countIn(session string) (int, error) {
	ctx, cancel := context.WithTimeout(r.ctx, frameTimeout)
	defer cancel()
	if !r.worlds.searchable(session) {
		if _, err := r.callIn(ctx, session, "DOM.enable", nil); err != nil {
			return 0, err
		}
		r.worlds.setSearchable(session)
	}
	raw, err := r.callIn(ctx, session, "DOM.performSearch", map[string]any{"query": everything})
	if err != nil {
		return 0, err
	}
	var found struct {
		SearchID    string `json:"searchId"`
		ResultCount int    `json:"resultCount"`
	}
	if err := json.Unmarshal(raw, &found); err != nil {
		return 0, err
	}
	_, _ = r.callIn(ctx, session, "DOM.discardSearchResults", map[string]any{"searchId": found.SearchID}) // frees memory only
	return found.ResultCount, nil
}

// learnClosed compares the browser's counts with the pages' own and hands the
// closed shadow roots that make a difference to the walkers. It tells whether
// there were any.
func (r *run) learnClosed(frames []Frame, docs []*walked, counts map[string]int) bool {
	learned := false
	for session, count := range counts {
		var inside []Frame
		doc, surplus, complete := "", count, true
		for i, f := range frames {
			if f.Session == session && docs[i] != nil && !docs[i].silent {
				if inside = append(inside, f); doc == "" {
					doc = docs[i].Doc
				}
				surplus -= docs[i].Elements
			} else if f.Session == session {
				complete = false
			}
		}
		if !complete || r.worlds.explained(session, doc, surplus) {
			continue
		}
		if r.learnIn(session, inside) {
			learned = true
		} else {
			r.worlds.explain(session, doc, surplus)
		}
	}
	return learned
}

// discover is learnClosed for frames that were not walked.
func (r *run) discover(frames []Frame) bool {
	counts := r.countAll(frames)()
	learned := false
	for session := range counts {
		var inside []Frame
		for _, f := range frames {
			if f.Session == session {
				inside = append(inside, f)
			}
		}
		if r.learnIn(session, inside) {
			learned = true
		}
	}
	return learned
}

// fruitless is how long a search for closed shadow roots that found none is not
// repeated: pages that change all the time never count the same twice.
const fruitless = 10 * time.Second

// learnIn looks for closed shadow roots behind a session.
func (r *run) learnIn(session string, frames []Frame) bool {
	count, err := r.countIn(session)
	if err != nil {
		return false
	}
	for _, f := range frames {
		var own struct {
			Elements int `json:"elements"`
			Texts    int `json:"texts"`
		}
		if _, err := r.ask(r.ctx, f, "", "census", nil, &own); err != nil {
			return false
		}
		count -= own.Elements + own.Texts
	}
	if count <= 0 || !r.worlds.mayPierce(session) {
		return false
	}
	found := r.pierce(session, frames)
	r.worlds.pierced(session, found)
	return found
}
