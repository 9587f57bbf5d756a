package supervisor

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"cdphost/host/cdp"
)

// Event is one event of a task: a CDP event of one of its sessions, or a host
// event, whose Method starts with "Host." and which names no session.
type Event struct {
	Task      Key
	Seq       uint64 // grows within a task; a gap is what the filter left out or the queue dropped
	Time      time.Time
	TabID     string
	SessionID string
	Method    string
	Params    json.RawMessage
	Audience  Audience
}

// Audience says whom an event is for: Only, or, when that is empty, everybody but
// Except. They name holders.
type Audience struct {
	Only   string
	Except []string
}

// Includes reports whether an event is for a holder.
func (a Audience) Includes(holder string) bool {
	if a.Only != "" {
		return holder == a.Only
	}
	return !slices.Contains(a.Except, holder)
}

// The host events of a task.
const (
	HostDialogOpened   = "Host.dialogOpened"
	HostDialogDecided  = "Host.dialogDecided" // by the policy; params are a DialogDecision
	HostDialogClosed   = "Host.dialogClosed"
	HostPageOpened     = "Host.pageOpened"
	HostPageClosed     = "Host.pageClosed"
	HostBridgeReleased = "Host.bridgeReleased"
	HostAttached       = "Host.attached"
	HostDetached       = "Host.detached"
)

// Filter says which events a Subscription gets. A method is exact
// ("Page.frameNavigated") or a domain ("Page.*"); an empty session or tab means
// all.
//
// Holder names who subscribes. One that intercepts requests on a session gets those
// that pause for it, each when it has its turn; one that does not gets them all,
// when they pause.
type Filter struct {
	Methods   []string
	SessionID string
	TabID     string
	Holder    string
}

func (f *Filter) match(tab, session, method string) bool {
	if f.SessionID != "" && f.SessionID != session || f.TabID != "" && f.TabID != tab {
		return false
	}
	for _, m := range f.Methods {
		if domain, all := strings.CutSuffix(m, "*"); all && strings.HasPrefix(method, domain) || m == method {
			return true
		}
	}
	return false
}

// Subscription is a bounded queue of events. A reader that is too slow loses
// its own events, counted, and costs nobody else anything.
type Subscription struct {
	C <-chan Event

	c       chan Event
	filter  Filter
	dropped atomic.Uint64
	owner   *Supervisor
}

// Dropped returns how many events did not fit into the queue.
func (s *Subscription) Dropped() uint64 { return s.dropped.Load() }

// Close ends the subscription and closes C. It may be called twice.
func (s *Subscription) Close() { s.owner.unsubscribe(s) }

// Subscribe returns a queue for size events that match f.
func (s *Supervisor) Subscribe(f Filter, size int) *Subscription {
	c := make(chan Event, max(size, 1))
	sub := &Subscription{C: c, c: c, filter: f, owner: s}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped {
		close(c)
		return sub
	}
	s.subs = append(slices.Clone(s.subs), sub)
	return sub
}

func (s *Supervisor) unsubscribe(sub *Subscription) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.Index(s.subs, sub); i >= 0 {
		s.subs = slices.Delete(slices.Clone(s.subs), i, i+1)
		close(sub.c)
	}
}

// wantedLocked reports whether anybody listens at all.
func (s *Supervisor) wantedLocked() bool {
	return len(s.subs) > 0 || s.settings.Load().Publish != nil
}

// offerLocked gives an event to whoever wants it of those it is for, copying its
// params only then.
func (s *Supervisor) offerLocked(tab string, ev cdp.Event, to Audience) {
	var e *Event
	event := func() Event {
		if e == nil {
			s.eventSeq++
			e = &Event{
				Task: s.key, Seq: s.eventSeq, Time: time.Now(), TabID: tab,
				SessionID: ev.SessionID, Method: ev.Method, Params: bytes.Clone(ev.Params), Audience: to,
			}
		}
		return *e
	}
	if set := s.settings.Load(); set.Publish != nil {
		if f := (Filter{Methods: set.PublishMethods}); f.match(tab, ev.SessionID, ev.Method) {
			set.Publish(event())
		}
	}
	for _, sub := range s.subs {
		if !sub.filter.match(tab, ev.SessionID, ev.Method) || !to.Includes(sub.filter.Holder) {
			continue
		}
		select {
		case sub.c <- event():
		default:
			sub.dropped.Add(1)
		}
	}
}

// tellLocked offers a host event.
func (s *Supervisor) tellLocked(tab, method string, v any) {
	if !s.wantedLocked() {
		return
	}
	data, err := json.Marshal(v)
	if err != nil {
		return
	}
	s.offerLocked(tab, cdp.Event{Method: method, Params: data}, Audience{})
}
