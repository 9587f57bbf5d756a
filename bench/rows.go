package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"
)

// hangLimit is how long a call may take before the row counts it as a hang.
const hangLimit = 15 * time.Second

// bench measures one peer. The session is started anew after a hang.
type bench struct {
	ctx   context.Context
	peer  *peer
	site  *site
	tries int
	s     *session
}

var ids atomic.Int64

func nextID() string { return fmt.Sprintf("m%d", ids.Add(1)) }

func (b *bench) session() (*session, error) {
	if b.s == nil {
		s, err := b.peer.start(b.ctx)
		if err != nil {
			return nil, err
		}
		b.s = s
	}
	return b.s, nil
}

func (b *bench) restart() {
	if b.s != nil {
		b.s.close()
		b.s = nil
	}
}

// start measures from the launch of the server to its first page.
func (b *bench) start() []sample {
	var out []sample
	for range max(b.tries/4, 3) {
		b.restart()
		began := time.Now()
		s, err := b.session()
		if err == nil {
			err = b.peer.do.navigate(b.ctx, s, time.Minute, b.site.url("/plain?id=x"))
		}
		out = append(out, timed(began, err))
	}
	return out
}

// schemas is how many bytes the definitions of the tools have; 0 for a library.
func (b *bench) schemas() int {
	if b.peer.lean != nil {
		s, err := b.peer.lean(b.ctx)
		if err != nil {
			return 0
		}
		defer s.close()
		return s.schema
	}
	if b.s == nil {
		return 0
	}
	return b.s.schema
}

func (b *bench) evaluate() []sample {
	return b.on("/plain?id=x", b.tries*5, func(s *session) sample {
		began := time.Now()
		_, err := b.peer.do.evaluate(b.ctx, s, hangLimit, "1")
		return timed(began, err)
	})
}

// click measures from the call to the page's own word that it was clicked, and
// counts a click that returns without one as a lie.
func (b *bench) click() (effect, call []sample) {
	id := nextID()
	n := 0
	b.on("/plain?id="+id, b.tries*2, func(s *session) sample {
		n++
		if err := b.peer.do.find(b.ctx, s); err != nil {
			return sample{fail: err.Error()}
		}
		began := time.Now()
		err := b.peer.do.act(b.ctx, s, hangLimit, "click")
		c := timed(began, err)
		call = append(call, c)
		at, ok := b.site.seen(fmt.Sprintf("%s-%d", id, n), time.Second)
		e := sample{took: at.Sub(began)}
		switch {
		case err != nil:
			e = sample{fail: err.Error()}
		case !ok:
			e = sample{fail: "said yes, did nothing"}
		}
		effect = append(effect, e)
		return e
	})
	return effect, call
}

func (b *bench) snapshot(cards int) (took []sample, text string) {
	took = b.on(fmt.Sprintf("/cards?n=%d", cards), max(b.tries/2, 3), func(s *session) sample {
		began := time.Now()
		t, err := b.peer.do.snapshot(b.ctx, s, time.Minute)
		if err == nil {
			text = t
		}
		return timed(began, err)
	})
	return took, text
}

// frame reads a page with an iframe of another site: what is in it has to be in
// the snapshot.
func (b *bench) frame() []sample {
	return b.on("/frame?id="+nextID(), max(b.tries/2, 3), func(s *session) sample {
		began := time.Now()
		text, err := b.peer.do.snapshot(b.ctx, s, hangLimit)
		out := timed(began, err)
		if err == nil && !strings.Contains(text, "inside the frame") {
			out.fail = "the frame's text is not in it"
		}
		return out
	})
}

// inFrame evaluates in an iframe of another site and checks where it ran.
func (b *bench) inFrame() []sample {
	found := false
	return b.on("/frame?id="+nextID(), b.tries, func(s *session) sample {
		if !found {
			if err := b.peer.do.findFrame(b.ctx, s); err != nil {
				return sample{fail: err.Error()}
			}
			found = true
		}
		began := time.Now()
		text, err := b.peer.do.inFrame(b.ctx, s, hangLimit, "location.host")
		out := timed(began, err)
		if err == nil && !strings.Contains(text, "other.localhost") {
			out.fail = "it ran elsewhere"
		}
		return out
	})
}

// flood evaluates on a page that logs 1,000 lines a second.
func (b *bench) flood() []sample {
	return b.on("/flood", b.tries, func(s *session) sample {
		began := time.Now()
		_, err := b.peer.do.evaluate(b.ctx, s, hangLimit, "1")
		return timed(began, err)
	})
}

// parallel makes two calls of a second each at the same time.
func (b *bench) parallel() []sample {
	return b.on("/plain?id=x", 3, func(s *session) sample {
		began := time.Now()
		errs := make(chan error, 2)
		for range 2 {
			go func() {
				_, err := b.peer.do.evaluate(b.ctx, s, hangLimit, "new Promise(r => setTimeout(() => r(1), 1000))")
				errs <- err
			}()
		}
		return timed(began, errors.Join(<-errs, <-errs))
	})
}

// on navigates to a page and tries f on it; a failed navigation is every try's
// failure.
func (b *bench) on(path string, tries int, f func(*session) sample) []sample {
	s, err := b.session()
	if err == nil {
		err = b.peer.do.navigate(b.ctx, s, time.Minute, b.site.url(path))
	}
	var out []sample
	for range tries {
		if err != nil {
			out = append(out, sample{fail: err.Error()})
			continue
		}
		out = append(out, f(s))
	}
	return out
}

// dialogResult is one dialog row: until the caller knew of the dialog, and from
// its answer until the page went on.
type dialogResult struct{ told, resumed []sample }

// dialog raises a dialog in one of the ways that pages do, and sees it through.
func (b *bench) dialog(way string) dialogResult {
	var r dialogResult
	for range max(b.tries/4, 3) {
		told, resumed := b.oneDialog(way)
		r.told, r.resumed = append(r.told, told), append(r.resumed, resumed)
		if told.fail != "" || resumed.fail != "" {
			b.restart()
		}
	}
	return r
}

func (b *bench) oneDialog(way string) (told, resumed sample) {
	none := sample{fail: "not reached"}
	s, err := b.session()
	if err != nil {
		return sample{fail: err.Error()}, none
	}
	id := nextID()
	did, began := b.raise(s, way, id)
	if did.fail == "hang" {
		return did, none
	}
	opened, ok := b.site.seen(id+"-open", hangLimit)
	if !ok {
		return sample{fail: "no dialog opened (" + did.fail + ")"}, none
	}
	// The clock runs from the dialog, or from the call where that came later.
	if opened.After(began) {
		began = opened
	}
	told = b.learn(s, did, began, id)
	if told.fail != "" {
		return told, none
	}
	answered := time.Now()
	if err := b.peer.do.accept(b.ctx, s, hangLimit); err != nil {
		return told, timed(answered, err)
	}
	closed, ok := b.site.seen(id+"-closed-true", 5*time.Second)
	if !ok {
		return told, sample{fail: "the page did not get the answer"}
	}
	if closed.Before(answered) {
		return told, sample{fail: "answered before the agent decided"}
	}
	if _, err := b.peer.do.evaluate(b.ctx, s, hangLimit, "1"); err != nil {
		return told, sample{fail: "page unusable: " + err.Error()}
	}
	return told, sample{took: closed.Sub(answered)}
}

// learn waits until the caller knows of the dialog: from the call that raised it,
// or by looking, which has to show its message.
func (b *bench) learn(s *session, did sample, began time.Time, id string) sample {
	if did.fail != "" {
		if strings.Contains(strings.ToLower(did.fail), "dialog") {
			return timed(began, nil)
		}
		return sample{fail: did.fail}
	}
	for time.Since(began) < hangLimit {
		text, err := b.peer.do.snapshot(b.ctx, s, hangLimit)
		if err != nil {
			text += err.Error()
		}
		if strings.Contains(text, "go on, "+id+"?") {
			return timed(began, nil)
		}
	}
	return sample{fail: "no snapshot tells of it"}
}

// raise does what makes the dialog open and returns how that call ended.
func (b *bench) raise(s *session, way, id string) (sample, time.Time) {
	do := b.peer.do
	path := "/" + way + "?id=" + id
	switch way {
	case "evaluate":
		path = "/plain?id=" + id
	case "frame":
		path += "&ask"
	}
	began := time.Now()
	err := do.navigate(b.ctx, s, hangLimit, b.site.url(path))
	if way == "load" {
		return timed(began, err), began
	}
	if err != nil {
		return timed(began, err), began
	}
	switch way {
	case "click", "hover", "popup", "key":
		if err := do.find(b.ctx, s); err != nil {
			return sample{fail: err.Error()}, began
		}
	}
	if way == "frame" { // nothing is called when it opens
		return sample{}, began
	}
	began = time.Now()
	switch way {
	case "click", "popup":
		err = do.act(b.ctx, s, hangLimit, "click")
	case "hover":
		err = do.act(b.ctx, s, hangLimit, "hover")
	case "key":
		err = do.act(b.ctx, s, hangLimit, "press_key")
	case "evaluate":
		_, err = do.evaluate(b.ctx, s, hangLimit, `ask("`+id+`")`)
	}
	return timed(began, err), began
}

func timed(began time.Time, err error) sample {
	if err != nil {
		return sample{took: time.Since(began), fail: err.Error()}
	}
	return sample{took: time.Since(began)}
}
