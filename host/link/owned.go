package link

// The small accessors of a link's state: each takes the lock for itself.

func (l *Link) own(targetID string, m *Member) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.targets[targetID] = m
}

func (l *Link) disown(targetID string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.targets, targetID)
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
	defer l.mu.Unlock()
	l.caps.set(capability, ok, degraded)
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
