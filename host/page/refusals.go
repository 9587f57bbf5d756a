package page

import "sync"

// refusals are what the patrol did to pages, until an agent is told. They are
// safe for concurrent use.
type refusals struct {
	mu     sync.Mutex
	done   map[string]bool    // documents that are being ended or were, by place and loader
	pages  map[string]error   // tabs that were emptied
	popups map[string]error   // popups that were closed, by the tab that opened them
	notes  map[string][]Ended // what no action failed for, by tab
}

func newRefusals() *refusals {
	return &refusals{done: make(map[string]bool), pages: make(map[string]error), popups: make(map[string]error), notes: make(map[string][]Ended)}
}

// claim tells whether a document is to be ended now; once for each.
func (r *refusals) claim(document string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.done[document] {
		return false
	}
	r.done[document] = true
	return true
}

// unclaim says that a document could not be ended.
func (r *refusals) unclaim(document string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.done, document)
}

func (r *refusals) page(tabID string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pages[tabID] = err
}

func (r *refusals) popup(opener string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.popups[opener] = err
}

// note keeps something for the next reply on a tab.
func (r *refusals) note(tabID, what string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.notes[tabID]) < endedKeep {
		r.notes[tabID] = append(r.notes[tabID], Ended{Action: what, Error: failure(err), Note: "the " + what + " went where it may not be, and was ended"})
	}
}

// emptied returns why a tab was emptied, nil when it was not or was told.
func (r *refusals) emptied(tabID string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.pages[tabID]
}

// take returns what an action on a tab led to, once.
func (r *refusals) take(tabID string) error {
	page, popup := r.begin(tabID)
	if page != nil {
		return page
	}
	return popup
}

// begin returns, once, what happened to a tab and to its popups.
func (r *refusals) begin(tabID string) (page, popup error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	page, popup = r.pages[tabID], r.popups[tabID]
	delete(r.pages, tabID)
	delete(r.popups, tabID)
	return page, popup
}

// told returns the notes of a tab, once.
func (r *refusals) told(tabID string) []Ended {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := r.notes[tabID]
	delete(r.notes, tabID)
	return out
}
