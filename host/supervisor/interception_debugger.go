package supervisor

import "slices"

// DebuggerEnabled notes that owner uses a session's Debugger, so that its pauses
// are left to it.
func (s *Supervisor) DebuggerEnabled(session string, owner Owner) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ss := s.sessions[session]
	if ss == nil {
		return
	}
	ss.shared.dropDebugger(owner)
	ss.shared.debuggers = append(ss.shared.debuggers, owner)
}

// DebuggerUser names who beside owner uses a session's Debugger: the dialog bridge
// or another owner; "" when nobody does, and only then may Debugger.disable be
// sent.
func (s *Supervisor) DebuggerUser(session string, owner Owner) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ss := s.sessions[session]; ss != nil {
		return ss.debuggerUser(owner)
	}
	return ""
}

func (ss *sessionState) debuggerUser(but Owner) string {
	if ss.bridge != nil && ss.bridge.setup.Debugger != nil {
		return ss.bridge.name()
	}
	for _, o := range ss.shared.debuggers {
		if o.ID != but.ID {
			return o.Name
		}
	}
	return ""
}

// DebuggerDisabled notes that owner uses the Debugger no longer, and lets the page
// go on where nobody is left to see to its pause. It returns the name of who still
// uses it, as DebuggerUser does.
func (s *Supervisor) DebuggerDisabled(session string, owner Owner) (user string) {
	s.update(func(fx *effects) {
		ss := s.sessions[session]
		if ss == nil {
			return
		}
		ss.shared.dropDebugger(owner)
		if len(ss.shared.debuggers) == 0 && ss.shared.halted {
			ss.shared.halted = false
			fx.post(session, debuggerResume, nil, nil)
		}
		user = ss.debuggerUser(owner)
	})
	return user
}

func (i *interception) dropDebugger(owner Owner) {
	i.debuggers = slices.DeleteFunc(i.debuggers, func(o Owner) bool { return o.ID == owner.ID })
}
