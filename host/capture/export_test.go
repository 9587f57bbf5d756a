package capture

// GuardsFor is guardsFor, for measuring.
func (m *Manager) GuardsFor(method string) []Guard { return m.guardsFor(method) }
