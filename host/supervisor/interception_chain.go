package supervisor

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"cdphost/host/cdp"
	"cdphost/sdk/fault"
)

// maxPaused bounds the requests of a session that are remembered as paused. The
// browser does not tell of one that its page gave up.
const maxPaused = 10000

// chain is a request, or its response, that pauses for those whose patterns match
// it. They are asked one after another, in the order of their priority and then
// of their names:
//
//   - who has its turn is alone told of the pause, and alone may act on it;
//   - what fulfils or fails it is the end: nobody further is asked;
//   - what continues it passes it on, with the changes that it makes, and the next
//     is shown the request as it is by then. The browser hears of it once, from the
//     last, with everybody's changes; of a param that several set, the last counts;
//   - one who lets go of its interception, dies, or lets others wait longer than
//     Settings.InterceptTurn has passed it on unchanged. Nobody is hurried for whom
//     nobody waits.
type chain struct {
	id       string
	response bool      // of the response stage
	ev       cdp.Event // as it came; its params are kept only for those who wait behind
	waiting  []Owner   // whom it waits for, in order; empty once it went on
	changes  changes
	then     []Owner // who wants to see its response, too
	seq      uint64
	timer    *time.Timer // nil when nobody waits behind
}

func (c *chain) auth() bool { return c.ev.Method == fetchAuthRequired }

// turn names whose turn it is.
func (c *chain) turn() string { return c.waiting[0].Name }

// more reports whether somebody waits behind the one whose turn it is.
func (c *chain) more() bool {
	return slices.ContainsFunc(c.waiting, func(o Owner) bool { return o.Name != c.turn() })
}

func (c *chain) stop() {
	if c.timer != nil {
		c.timer.Stop()
		c.timer = nil
	}
}

func compareOwners(a, b Owner) int {
	return cmp.Or(cmp.Compare(a.Priority, b.Priority), strings.Compare(a.Name, b.Name))
}

func without(owners []Owner, gone func(Owner) bool) []Owner {
	return slices.DeleteFunc(slices.Clone(owners), gone)
}

// takes leaves an event to those whose patterns match its request. It reports
// false when there are none.
func (s *Supervisor) takes(fx *effects, ss *sessionState, id string, ev cdp.Event) bool {
	i := &ss.shared
	if len(i.fetch) == 0 || id == "" {
		return false
	}
	r, err := newPausedRequest(ev.Params)
	if err != nil {
		return false
	}
	c := &chain{id: id, response: r.response, ev: ev, waiting: i.wanting(r, ev.Method == fetchAuthRequired)}
	c.ev.Params = nil
	before := i.paused[id]
	switch {
	case before == nil:
	case c.response:
		c.waiting = append(c.waiting, before.then...)
	case c.auth():
		c.then = before.then // the response is still to come
	}
	if len(c.waiting) == 0 {
		return false
	}
	if before != nil {
		i.forget(before)
	}
	slices.SortStableFunc(c.waiting, compareOwners)
	if c.more() {
		c.ev.Params = bytes.Clone(ev.Params)
	}
	s.makeRoom(fx, ss)
	i.seq++
	c.seq = i.seq
	if i.paused == nil {
		i.paused = map[string]*chain{}
	}
	i.paused[id] = c
	s.await(ss, c)
	return true
}

// makeRoom lets the oldest tenth of too many requests go on. Mostly their pages have
// given them up long since.
func (s *Supervisor) makeRoom(fx *effects, ss *sessionState) {
	i := &ss.shared
	if len(i.paused) < maxPaused {
		return
	}
	for _, c := range i.paused {
		if c.seq+maxPaused-maxPaused/10 > i.seq {
			continue
		}
		if len(c.waiting) > 0 {
			s.goOn(fx, ss, c)
		}
		i.forget(c)
	}
}

func (i *interception) forget(c *chain) {
	c.stop()
	if i.paused[c.id] == c {
		delete(i.paused, c.id)
	}
}

// wentOn notes that the browser goes on with a request.
func (i *interception) wentOn(c *chain) {
	c.stop()
	c.waiting = nil
	if len(c.then) == 0 {
		i.forget(c)
	}
}

// await bounds the turn that has begun, when somebody waits behind.
func (s *Supervisor) await(ss *sessionState, c *chain) {
	c.stop()
	if c.more() {
		turn := c.turn()
		c.timer = time.AfterFunc(s.settings.Load().InterceptTurn, func() { s.turnOver(ss, c, turn) })
	}
}

func (s *Supervisor) turnOver(ss *sessionState, c *chain, turn string) {
	passed := false
	s.update(func(fx *effects) {
		current := s.sessions[ss.target.SessionID] == ss && ss.shared.paused[c.id] == c
		if current && len(c.waiting) > 0 && c.turn() == turn && c.more() {
			passed = true
			s.pass(fx, ss, c)
		}
	})
	if passed {
		s.logger.Warn("a paused request was not answered while others wait; it is passed on", "task", s.key, "holder", turn)
	}
}

// pass ends a turn.
func (s *Supervisor) pass(fx *effects, ss *sessionState, c *chain) {
	turn := c.turn()
	c.waiting = without(c.waiting, func(o Owner) bool { return o.Name == turn })
	s.askNext(fx, ss, c)
}

// askNext asks whose turn it is by now, and after the last the browser.
func (s *Supervisor) askNext(fx *effects, ss *sessionState, c *chain) {
	if len(c.waiting) == 0 {
		s.goOn(fx, ss, c)
		return
	}
	s.await(ss, c)
	if !s.wantedLocked() {
		return
	}
	tab := ""
	if p := s.pageLocked(ss.target.PageID); p != nil {
		tab = p.TabID
	}
	ev := c.ev
	ev.Params = c.shown()
	s.offerLocked(tab, ev, Audience{Only: c.turn()})
}

// goOn has the browser go on with a request for which nobody is left, with the
// changes that were made. What the browser refuses so fails: it must not hang, and
// not leave otherwise than it was wanted.
func (s *Supervisor) goOn(fx *effects, ss *sessionState, c *chain) {
	cmd := c.released(ss.target.SessionID)
	var reply func(json.RawMessage, error)
	if len(c.changes) > 0 {
		reply = func(_ json.RawMessage, err error) {
			var refused *cdp.Error
			if errors.As(err, &refused) {
				s.update(func(fx *effects) { fx.posts = append(fx.posts, post{cmd: c.failed(ss.target.SessionID)}) })
			}
		}
	}
	fx.posts = append(fx.posts, post{cmd, reply})
	ss.shared.wentOn(c)
}

// leave takes an owner out of all chains of a session.
func (s *Supervisor) leave(fx *effects, ss *sessionState, owner Owner) {
	his := func(o Owner) bool { return o.ID == owner.ID }
	for _, c := range ss.shared.paused {
		c.then = without(c.then, his)
		if len(c.waiting) == 0 {
			ss.shared.wentOn(c)
			continue
		}
		turn := c.turn()
		c.waiting = without(c.waiting, his)
		if len(c.waiting) == 0 || c.turn() != turn {
			s.askNext(fx, ss, c)
		}
	}
}

// RequestTurn names whose turn it is with a paused request; "" when it is that of
// the holder, or nobody's that is known.
func (s *Supervisor) RequestTurn(session, requestID, holder string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.chainLocked(session, requestID); c != nil && c.turn() != holder {
		return c.turn()
	}
	return ""
}

// chainLocked returns the chain of a request that waits for somebody.
func (s *Supervisor) chainLocked(session, requestID string) *chain {
	ss := s.sessions[session]
	if ss == nil {
		return nil
	}
	if c := ss.shared.paused[requestID]; c != nil && len(c.waiting) > 0 {
		return c
	}
	return nil
}

// CompleteAnswer adds to a continuing answer of whose turn it is what those who were
// asked before have changed of the request. What it sets itself counts.
func (s *Supervisor) CompleteAnswer(cmd *cdp.Command) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.chainLocked(cmd.SessionID, requestID(cmd.Params))
	if c == nil || !continues(cmd) {
		return
	}
	if wantsResponse(cmd.Params) {
		c.then = append(c.then, c.waiting[0])
	}
	c.complete(cmd)
}

// AnswerRequest takes a holder's answer to a paused request: a command of the Fetch
// domain, completed by CompleteAnswer. When others have to be asked first, taken is
// nil and nothing is to be sent; else it is to be called once the browser has taken
// the command.
//
// Errors: fault.NotYours when it is another's turn, fault.InvalidArgument for what
// the browser would refuse when it is told.
func (s *Supervisor) AnswerRequest(holder string, cmd cdp.Command) (taken func(), err error) {
	taken = func() {}
	s.update(func(fx *effects) {
		ss := s.sessions[cmd.SessionID]
		c := s.chainLocked(cmd.SessionID, requestID(cmd.Params))
		switch {
		case c == nil:
			return
		case c.turn() != holder:
			err = fault.New(fault.NotYours, "%s is refused: the request %s waits for %s", cmd.Method, c.id, c.turn()).With("owner", c.turn())
			return
		}
		taken = func() { s.update(func(*effects) { ss.shared.wentOn(c) }) }
		if !continues(&cmd) {
			c.then = nil
			return
		}
		changed, wrong := c.read(&cmd)
		if !c.more() {
			return // the browser says what is wrong
		}
		if err = wrong; err == nil {
			c.changes, taken = changed, nil
			s.pass(fx, ss, c)
		}
	})
	return taken, err
}
