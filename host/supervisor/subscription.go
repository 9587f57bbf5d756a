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
}

// The host events of a task.
const (
	HostDialogOpened   = "Host.dialogOpened"
	HostDialogClosed   = "Host.dialogClosed"
	HostPageOpened     = "Host.pageOpened"
	HostPageClosed     = "Host.pageClosed"
	HostBridgeReleased = "Host.bridgeReleased"
	HostAttached       = "Host.attached"
	HostDetached       = "Host.detached"
)

// Filter says which events a Subscription gets. A method is exact
// ("Page.frameNavigated") or a domain ("Page.*"); an empty session means all.
type Filter struct {
	Methods   []string
	SessionID string
}

func (f *Filter) match(session, method string) bool {
	if f.SessionID != "" && f.SessionID != session {
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

// offerLocked gives an event to whoever wants it, copying its params only then.
func (s *Supervisor) offerLocked(tab string, ev cdp.Event) {
	var params json.RawMessage
	for _, sub := range s.subs {
		if !sub.filter.match(ev.SessionID, ev.Method) {
			continue
		}
		if params == nil {
			params = bytes.Clone(ev.Params)
			s.eventSeq++
		}
		select {
		case sub.c <- Event{
			Task: s.key, Seq: s.eventSeq, Time: time.Now(), TabID: tab,
			SessionID: ev.SessionID, Method: ev.Method, Params: params,
		}:
		default:
			sub.dropped.Add(1)
		}
	}
}

// tellLocked offers a host event.
func (s *Supervisor) tellLocked(tab, method string, v any) {
	if len(s.subs) == 0 {
		return
	}
	data, err := json.Marshal(v)
	if err != nil {
		return
	}
	s.offerLocked(tab, cdp.Event{Method: method, Params: data})
}
