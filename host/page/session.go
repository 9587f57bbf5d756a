package page

import (
	"context"
	"net/url"
	"sync"
	"time"

	"cdphost/sdk/fault"
)

// Session is the record of what was done on a tab.
type Session struct {
	TabID        string    `json:"tabId"`
	Domain       string    `json:"domain"`
	StartedAt    time.Time `json:"started_at"`
	LastActionAt time.Time `json:"last_action_at"`
	ActionCount  int       `json:"action_count"`
}

// sessions keeps, for each tab, its session, the order of its actions and the
// ends of interrupted ones. It is safe for concurrent use.
type sessions struct {
	now      func() time.Time
	mu       sync.Mutex
	tabs     map[string]*tabRecord
	stopped  string
	versions int
}

type tabRecord struct {
	turn     chan struct{} // holds a token while an action runs
	session  *Session
	ended    []Ended
	extracts []*extraction
}

func newSessions(now func() time.Time) *sessions {
	return &sessions{now: now, tabs: make(map[string]*tabRecord)}
}

func (s *sessions) record(tabID string) *tabRecord {
	rec := s.tabs[tabID]
	if rec == nil {
		rec = &tabRecord{turn: make(chan struct{}, 1)}
		s.tabs[tabID] = rec
	}
	return rec
}

// enter waits for the tab's earlier actions.
func (s *sessions) enter(ctx context.Context, tabID string) (leave func(), err error) {
	s.mu.Lock()
	turn := s.record(tabID).turn
	s.mu.Unlock()
	select {
	case turn <- struct{}{}:
		return func() { <-turn }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// act counts an action; the first one starts the tab's session.
func (s *sessions) act(tab *Tab) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped != "" {
		return fault.New(fault.SessionNotFound, "the task's sessions ended (%s): stop and report what you have", s.stopped)
	}
	rec, now := s.record(tab.ID), s.now()
	if rec.session == nil {
		rec.session = &Session{TabID: tab.ID, StartedAt: now}
	}
	rec.session.Domain = domainOf(tab.URL)
	rec.session.LastActionAt = now
	rec.session.ActionCount++
	return nil
}

// endedKeep bounds the ends that are kept until the next reply.
const endedKeep = 10

func (s *sessions) end(tabID string, e Ended) {
	s.mu.Lock()
	defer s.mu.Unlock()
	rec := s.record(tabID)
	rec.ended = append(rec.ended, e)
	if n := len(rec.ended); n > endedKeep {
		rec.ended = rec.ended[n-endedKeep:]
	}
}

func (s *sessions) takeEnded(tabID string) []Ended {
	s.mu.Lock()
	defer s.mu.Unlock()
	rec := s.tabs[tabID]
	if rec == nil {
		return nil
	}
	ended := rec.ended
	rec.ended = nil
	return ended
}

// drop ends the session of one tab.
func (s *sessions) drop(tabID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if rec := s.tabs[tabID]; rec != nil {
		rec.session, rec.extracts, rec.ended = nil, nil, nil
	}
}

// Sessions returns the records of all tabs that were acted on.
func (e *Engine) Sessions() []Session {
	e.sessions.mu.Lock()
	defer e.sessions.mu.Unlock()
	var out []Session
	for _, rec := range e.sessions.tabs {
		if rec.session != nil {
			out = append(out, *rec.session)
		}
	}
	return out
}

// EndIdle ends the sessions whose last action is older than idle.
func (e *Engine) EndIdle(idle time.Duration) {
	e.sessions.mu.Lock()
	defer e.sessions.mu.Unlock()
	now := e.opts.Now()
	for _, rec := range e.sessions.tabs {
		if rec.session != nil && now.Sub(rec.session.LastActionAt) > idle {
			rec.session, rec.extracts = nil, nil
		}
	}
}

// Stop ends all sessions; actions after it are session_not_found. The reason is
// shown to the agent.
func (e *Engine) Stop(reason string) {
	e.sessions.mu.Lock()
	defer e.sessions.mu.Unlock()
	e.sessions.stopped = reason
	for _, rec := range e.sessions.tabs {
		rec.session, rec.extracts = nil, nil
	}
}

func domainOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// get returns a copy of a tab's session, nil when it has none.
func (s *sessions) get(tabID string) *Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	rec := s.tabs[tabID]
	if rec == nil || rec.session == nil {
		return nil
	}
	c := *rec.session
	return &c
}
