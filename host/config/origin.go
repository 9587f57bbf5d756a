package config

// origin is what a Config remembers of where its values came from.
type origin struct {
	file    string
	version string
	source  source
	places  map[string]place
	unset   map[string]UnsetEnv
	// subagentOff is set when the environment switches the subagent off.
	subagentOff bool
}

// source is what was read: absolute names, and a sum of the contents.
type source struct {
	files  []string
	digest digest
	empty  bool // the file has no text at all
}

// place is where a key and its value stand in a file.
type place struct{ key, value Position }
