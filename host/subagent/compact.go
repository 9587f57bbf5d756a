package subagent

// What stays whole in the history. Everything is shortened at most once, so
// that what comes before the newest pieces never changes and can be cached.
const (
	keepPictures = 2        // newest pictures
	keepTabs     = 2        // tabs whose newest extract stays
	keepExtracts = 48 << 10 // bytes of extracts, beyond the newest one
	keepBulky    = 3        // newest other replies over bulky bytes
	bulky        = 2 << 10  // bytes
	shortPlain   = 600      // bytes that stay of an old bulky reply

	// maxHistory is where old turns are folded into lines, in bytes: about 40,000
	// tokens, beyond which models lose the thread.
	maxHistory = 160 << 10
	keepTurns  = 10       // turns that are never folded for size
	maxFolded  = 16 << 10 // bytes of lines of folded turns
)

// pieces lists all pieces, oldest first.
func (h *history) pieces() []*piece {
	var all []*piece
	if h.first != nil {
		all = append(all, h.first)
	}
	for _, t := range h.turns {
		for i := range t.results {
			all = append(all, &t.results[i].piece)
		}
		if t.look != nil {
			all = append(all, t.look)
		}
	}
	return all
}

// compact shortens what is old: pictures and extracts first of all.
func (h *history) compact() {
	all := h.pieces()
	pictures, bulkies, bytes := 0, 0, 0
	reading := make(map[string]bool) // tabs whose newest reading is still open at its front
	for i := len(all) - 1; i >= 0; i-- {
		p := all[i]
		if !p.ages() {
			continue
		}
		switch p.kind {
		case picture:
			if pictures++; pictures > keepPictures {
				p.age()
			}
		case extract:
			open, seen := reading[p.tab]
			newest := len(reading) == 0
			if seen && !open || !seen && len(reading) == keepTabs || !newest && bytes+p.size() > keepExtracts {
				p.age()
				reading[p.tab] = false
				continue
			}
			bytes += p.size()
			reading[p.tab] = p.part // what it continues belongs to the same reading
		case plain:
			if bulkies++; bulkies > keepBulky {
				p.age()
			}
		}
	}
	if h.size() > maxHistory {
		h.fold(keepTurns)
	}
}

// size is the bytes of the conversation, pictures left out.
func (h *history) size() int {
	n := len(h.opening)
	for _, l := range h.folded {
		n += len(l)
	}
	for _, t := range h.turns {
		n += len(t.said.Text) + len(t.notes)
		for _, c := range t.said.Calls {
			n += len(c.Args)
		}
	}
	for _, p := range h.pieces() {
		n += p.size()
	}
	return n
}

// fold turns all but the newest keep turns into lines.
func (h *history) fold(keep int) {
	n := len(h.turns) - keep
	if n <= 0 {
		return
	}
	h.first = nil
	for _, t := range h.turns[:n] {
		if t.line != "" {
			h.folded = append(h.folded, t.line)
		}
	}
	h.turns = append([]*turn(nil), h.turns[n:]...)
	bytes := 0
	for i := len(h.folded) - 1; i >= 0; i-- {
		if bytes += len(h.folded[i]); bytes > maxFolded {
			h.dropped += i + 1
			h.folded = h.folded[i+1:]
			break
		}
	}
}

// squeeze is the last resort when the model can't read that much: two turns, and
// of the page only its beginning.
func (h *history) squeeze() {
	h.fold(2)
	for _, p := range h.pieces() {
		switch {
		case p.kind == picture && !p.old:
			p.age()
		case !p.old && len(p.full) > squeezed:
			p.full = clip(p.full, squeezed) + "\n(cut: too long for you)"
		}
	}
}

const squeezed = 4 << 10
