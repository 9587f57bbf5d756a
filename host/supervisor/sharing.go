package supervisor

import "slices"

// use is something of a session that an owner relies on: a domain that it
// enabled, a script or a binding that it added.
type use struct {
	what  string
	owner Owner
}

// Watched reports whether the host itself watches the task through a session, as
// opposed to one that somebody made for himself with Target.attachToTarget.
func (s *Supervisor) Watched(session string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sessions[session] != nil
}

// Use notes that owner relies on something of a watched session. What it is
// called is the caller's affair.
func (s *Supervisor) Use(session, what string, owner Owner) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ss := s.sessions[session]
	if ss == nil || slices.Contains(ss.shared.uses, use{what, owner}) {
		return
	}
	ss.shared.uses = append(ss.shared.uses, use{what, owner})
}

// Unuse ends a Use and reports whether anybody still relies on it.
func (s *Supervisor) Unuse(session, what string, owner Owner) (used bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ss := s.sessions[session]
	if ss == nil {
		return false
	}
	ss.shared.uses = slices.DeleteFunc(ss.shared.uses, func(u use) bool { return u == use{what, owner} })
	return slices.ContainsFunc(ss.shared.uses, func(u use) bool { return u.what == what })
}

// UserOf names an owner of another name that relies on something of a session, ""
// when there is none; own tells whether one of that name does.
func (s *Supervisor) UserOf(session, what, name string) (other string, own bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ss := s.sessions[session]
	if ss == nil {
		return "", false
	}
	for _, u := range ss.shared.uses {
		switch {
		case u.what != what:
		case u.owner.Name == name:
			own = true
		default:
			other = u.owner.Name
		}
	}
	return other, own
}
