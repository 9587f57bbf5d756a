package cdp

// maxNames bounds a table of names; sessions come and go for ever.
const maxNames = 4096

// names turns the bytes of names that come again and again into strings without
// an allocation.
type names struct {
	known map[string]string
	last  string
}

func newNames() names { return names{known: make(map[string]string)} }

func (n *names) knows(b []byte) bool {
	if string(b) == n.last {
		return true
	}
	_, ok := n.known[string(b)]
	return ok
}

func (n *names) name(b []byte) string {
	if string(b) == n.last {
		return n.last
	}
	s, ok := n.known[string(b)]
	if !ok {
		if len(n.known) >= maxNames {
			clear(n.known)
		}
		s = string(b)
		n.known[s] = s
	}
	n.last = s
	return s
}
