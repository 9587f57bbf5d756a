package dialog

import "time"

// graveyard is how many closed dialogs can still be told from unknown ones when
// somebody answers them: more than the ring, because a flood fills that quickly.
const graveyard = 256

// grave is what remains of a closed dialog.
type grave struct {
	id     string
	by     ClosedBy
	reason string
	at     time.Time
}

// graves is a ring of the last closed dialogs.
type graves struct {
	list []grave
	next int
}

func (g *graves) add(c *Closed) {
	b := grave{id: c.ID, by: c.ClosedBy, reason: c.Reason, at: c.ClosedAt}
	if len(g.list) < graveyard {
		g.list = append(g.list, b)
		return
	}
	g.list[g.next] = b
	g.next = (g.next + 1) % graveyard
}

func (g *graves) find(id string) (grave, bool) {
	for i := range g.list {
		if g.list[i].id == id {
			return g.list[i], true
		}
	}
	return grave{}, false
}

// amend corrects the grave of c.
func (g *graves) amend(c *Closed) {
	for i := range g.list {
		if g.list[i].id == c.ID {
			g.list[i].by, g.list[i].reason = c.ClosedBy, c.Reason
		}
	}
}
