package page

import (
	"strconv"
	"strings"
	"sync"
)

// node names a node for good: the frame that showed it, the document in it, and
// the node's number in that document.
type node struct {
	frame, doc string
	n          int
}

// known is what is remembered of a node that was given a uid.
type known struct {
	node
	uid, tab            string
	role, name, context string
}

// uidsKeep is how many nodes of gone documents are remembered, so that their
// uids can be told why they are stale.
const uidsKeep = 20_000

// uids gives uids, e1, e2, ..., and never gives one twice. It is safe for
// concurrent use.
type uids struct {
	reserve func(n uint64) (first uint64)

	mu     sync.Mutex
	last   int
	byNode map[node]*known
	byUID  map[int]*known
	oldest int
}

// newUIDs takes its numbers from reserve; nil counts from 1. Numbers below the
// first are taken for given, by an engine that the task had before.
func newUIDs(reserve func(n uint64) (first uint64)) *uids {
	if reserve == nil {
		next := uint64(1)
		reserve = func(n uint64) uint64 { next += n; return next - n }
	}
	first := int(reserve(0))
	return &uids{reserve: reserve, last: first - 1, byNode: make(map[node]*known), byUID: make(map[int]*known), oldest: first}
}

// of returns the uid of a node, a new one for a node not seen before, and
// remembers what the node is now.
func (u *uids) of(tab string, at node, role, name, context string) string {
	u.mu.Lock()
	defer u.mu.Unlock()
	k := u.byNode[at]
	if k == nil {
		u.last = int(u.reserve(1))
		k = &known{node: at, uid: "e" + strconv.Itoa(u.last), tab: tab}
		u.byNode[at], u.byUID[u.last] = k, k
	}
	k.role, k.name, k.context = role, name, context
	return k.uid
}

// find returns a copy of what uid stands for. given tells a uid whose node is
// forgotten from one that was never given.
func (u *uids) find(uid string) (k known, ok, given bool) {
	number, found := strings.CutPrefix(uid, "e")
	n, err := strconv.Atoi(number)
	if !found || err != nil || n < 1 {
		return known{}, false, false
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if k := u.byUID[n]; k != nil {
		return *k, true, true
	}
	return known{}, false, n <= u.last
}

// prune forgets the oldest nodes of documents that are not shown any more.
func (u *uids) prune(shown func(frame, doc string) bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.byUID) <= uidsKeep {
		return
	}
	for n := u.oldest; n <= u.last && len(u.byUID) > uidsKeep/2; n++ {
		k := u.byUID[n]
		if k == nil {
			if n == u.oldest {
				u.oldest++
			}
			continue
		}
		if !shown(k.frame, k.doc) {
			delete(u.byUID, n)
			delete(u.byNode, k.node)
		}
	}
}
