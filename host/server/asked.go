package server

import (
	"crypto/rand"
	"slices"
	"sync"

	"cdphost/host/tool"
)

// maxAsked bounds the replies of one caller that wait for a user; the oldest
// goes first, its dialogs stay pending.
const maxAsked = 64

// askedStore keeps replies that wait for a user's answer, under names that
// can't be guessed.
type askedStore struct {
	mu    sync.Mutex
	byKey map[string]*tool.Result
	order []string
}

func newAskedStore() *askedStore {
	return &askedStore{byKey: make(map[string]*tool.Result)}
}

func (a *askedStore) put(res *tool.Result) string {
	key := rand.Text()
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.order) >= maxAsked {
		delete(a.byKey, a.order[0])
		a.order = a.order[1:]
	}
	a.byKey[key] = res
	a.order = append(a.order, key)
	return key
}

// take returns a reply once.
func (a *askedStore) take(key string) (*tool.Result, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	res, ok := a.byKey[key]
	delete(a.byKey, key)
	a.order = slices.DeleteFunc(a.order, func(k string) bool { return k == key })
	return res, ok
}
