package tool

// Toolset is a named list of tools with the rules that hold for calls through
// it. It is immutable.
type Toolset struct {
	Name string
	// Tools are the names of the tools, in the order in which they are listed.
	Tools []string
	// Gates holds the gates that the configuration sets by name of the tool.
	Gates map[string]Gate
	// DialogPolicy is the policy of tasks made through this toolset; "" is the
	// host's default.
	DialogPolicy string
	// Methods says which CDP methods browser_cdp may send.
	Methods MethodRules
}

// GateOf returns the gate of a tool: the configured one, else the tool's own.
func (s *Toolset) GateOf(t *Tool) Gate {
	if g, ok := s.Gates[t.Name]; ok {
		return g
	}
	return t.Gate
}
