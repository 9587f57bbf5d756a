package capture

const (
	debuggerEnable  = "Debugger.enable"
	debuggerDisable = "Debugger.disable"
)

func debuggerOn(session string) string { return "debugger " + session }

// wantDebugger notes that this holder will see to the pauses of a session. A
// pause may come before the reply.
func (h *Handle) wantDebugger(cmd *Command) {
	if cmd.Method == debuggerEnable {
		h.sup.DebuggerEnabled(cmd.SessionID, h.owner())
	}
}

// stopDebugger ends this holder's use of a session's Debugger, and switches it off
// when that was the last.
func (h *Handle) stopDebugger(session string) {
	if h.sup.DebuggerDisabled(session, h.owner()) == "" {
		h.posting(command(session, debuggerDisable, nil))()
	}
}
