package link

// The small accessors of a link's state: each takes the lock for itself.

// own makes a page the member's; ok is false when the member has left. fresh is
// true when it was not the member's already, so that it has no session, and none
// is on the way.
func (l *Link) own(targetID string, m *Member) (fresh, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if m.left {
		return false, false
	}
	fresh = l.targets[targetID] != m
	l.targets[targetID] = m
	return fresh, true
}

func (l *Link) disown(targetID string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.targets, targetID)
	delete(l.urls, targetID)
}

func (l *Link) memberOf(targetID string) *Member {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.targets[targetID]
}

func (l *Link) setCreating(m *Member) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.creating = m
}

func (l *Link) has(capability string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.caps.Has[capability]
}

func (l *Link) found(capability string, ok bool, degraded string) {
	l.mu.Lock()
	was, probed := l.caps.Has[capability]
	l.caps.set(capability, ok, degraded)
	l.mu.Unlock()
	if !probed || was != ok {
		l.capabilitiesChanged()
	}
}

func (l *Link) settleLocked() {
	if l.settled != nil {
		close(l.settled)
		l.settled = nil
	}
}

func (l *Link) capabilitiesChanged() {
	for _, m := range l.memberList() {
		m.view.CapabilitiesChanged()
	}
}

// ownedTargets returns the ids of the pages that have a member.
func (l *Link) ownedTargets() map[string]bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	ids := make(map[string]bool, len(l.targets))
	for id := range l.targets {
		ids[id] = true
	}
	return ids
}

// ready returns a channel that is closed when the page's set-up was answered, or
// when the page or the connection is gone.
func (l *Link) ready(targetID string) <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	done := l.targets[targetID] == nil || l.conn == nil
	for _, s := range l.sessions {
		if s.target.TargetID == targetID && !s.extra && s.pending == 0 {
			done = true
		}
	}
	w := l.waiting[targetID]
	if w == nil {
		w = make(chan struct{})
		if done {
			close(w)
			return w
		}
		l.waiting[targetID] = w
	}
	return w
}
