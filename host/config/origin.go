package config

// origin is what a Config remembers of where its values came from.
type origin struct {
	file    string
	version string
	digest  digest
	files   []string
	places  map[string]place
	unset   map[string]UnsetEnv
	// subagentOff is set when the environment switches the subagent off.
	subagentOff bool
}

// place is where a key and its value stand in a file.
type place struct{ key, value Position }
