package subagent

import "fmt"

// kind says how a piece of the history grows old.
type kind int

const (
	plain kind = iota
	extract
	picture
)

// piece is a tool's output as it stands in the history.
type piece struct {
	kind kind
	tab  string
	// part is true for an extract that goes on where another was cut.
	part        bool
	full, short string
	images      []Image
	old         bool
}

func (p *piece) text() string {
	if p.old {
		return p.short
	}
	return p.full
}

func (p *piece) pictures() []Image {
	if p.old {
		return nil
	}
	return p.images
}

func (p *piece) size() int { return len(p.text()) }

// ages reports whether the piece will be shortened one day.
func (p *piece) ages() bool {
	return !p.old && (p.kind != plain || len(p.full) > bulky)
}

func (p *piece) age() {
	p.old = true
	p.images = nil // the bytes are not needed any more
	if len(p.short) >= len(p.full) {
		p.short = p.full
	}
	if p.kind == picture {
		p.short += "\n(picture no longer shown)"
	}
	p.full = ""
}

// turn is one answer of the model and what became of it.
type turn struct {
	said    Message
	results []result
	notes   string // the host's own words
	look    *piece // the page afterwards
	line    string // what stays when the turn is folded away
}

type result struct {
	call string
	bad  bool
	piece
}

// history is the conversation of one run.
type history struct {
	opening string
	first   *piece // the page at the beginning
	turns   []*turn
	folded  []string // lines of turns that were folded away
	dropped int      // lines that went from folded
	blind   bool     // the model can't look at pictures
}

// messages writes the conversation for a request, and counts the leading
// messages that will not change any more.
func (h *history) messages() (out []Message, settled int) {
	open := Message{Role: User, Text: h.opening}
	if len(h.folded) > 0 {
		open.Text += "\n\nWhat you did so far"
		if h.dropped > 0 {
			open.Text += fmt.Sprintf(" (%d earlier steps are not listed)", h.dropped)
		}
		open.Text += ":"
		for _, l := range h.folded {
			open.Text += "\n" + l
		}
	}
	changing := false
	if h.first != nil {
		open.Text += "\n\nThe page at the beginning: " + h.first.text()
		changing = h.first.ages()
	}
	out = append(out, open)
	if !changing {
		settled = 1
	}
	for _, t := range h.turns {
		out = append(out, t.said)
		m := Message{Role: User, Text: t.notes}
		for i := range t.results {
			r := &t.results[i]
			c := CallResult{CallID: r.call, Text: r.text(), IsError: r.bad}
			if !h.blind {
				c.Images = r.pictures()
			} else if len(r.pictures()) > 0 {
				c.Text += "\n(the model can't look at pictures; use extract)"
			}
			m.Results = append(m.Results, c)
			changing = changing || r.ages()
		}
		if t.look != nil {
			if m.Text != "" {
				m.Text += "\n\n"
			}
			m.Text += "The page after that: " + t.look.text()
			changing = changing || t.look.ages()
		}
		out = append(out, m)
		if !changing {
			settled = len(out)
		}
	}
	return out, settled
}
