package plugin

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"
)

// Spec is what the configuration says of one plugin.
type Spec struct {
	// Name is the plugin's name in the configuration.
	Name string
	// Builtin names a plugin that the host's own binary serves; Path a program.
	// Exactly one of the two is set, unless Reattach is.
	Builtin string
	Path    string
	// Args are given to Path.
	Args []string
	// SHA256 is the expected digest of Path in hex; "" means not checked.
	SHA256 string
	// Env names the environment variables that the process gets beside the few
	// that every program needs.
	Env []string
	// MTLS encrypts the connection; it costs about 40 ms at the start.
	MTLS bool
	// Priority orders guards, and those who intercept the same request, ascending.
	Priority int
	// AllowOnFailure lets commands pass while the guard can't judge them.
	AllowOnFailure bool
	// Timeout bounds one call of a hook; 0 means the hook's default.
	Timeout time.Duration
	// Grants are what the plugin may reach; builtins reach everything.
	Grants Grants
	// Config is the plugin's own configuration, a JSON object.
	Config json.RawMessage
	// Reattach, when not nil, joins a plugin that runs already, under a debugger.
	Reattach *Reattach
}

// Grants narrow what a plugin may reach.
type Grants struct {
	// All lifts every limit.
	All      bool
	Toolsets []string
	Methods  []string
	Events   []string
}

// Reattach says where a plugin that was started by hand listens.
type Reattach struct {
	Network string `json:"network"`
	Address string `json:"address"`
	PID     int    `json:"pid"`
}

// equal reports whether a plugin that runs for s serves o as well.
func (s *Spec) equal(o *Spec) bool {
	return s.Name == o.Name && s.Builtin == o.Builtin && s.Path == o.Path && s.SHA256 == o.SHA256 &&
		s.MTLS == o.MTLS && s.Priority == o.Priority && s.AllowOnFailure == o.AllowOnFailure &&
		s.Timeout == o.Timeout && slices.Equal(s.Args, o.Args) && slices.Equal(s.Env, o.Env) &&
		s.Grants.equal(o.Grants) && bytes.Equal(compact(s.Config), compact(o.Config)) &&
		(s.Reattach == nil) == (o.Reattach == nil) && (s.Reattach == nil || *s.Reattach == *o.Reattach)
}

func (g Grants) equal(o Grants) bool {
	return g.All == o.All && slices.Equal(g.Toolsets, o.Toolsets) &&
		slices.Equal(g.Methods, o.Methods) && slices.Equal(g.Events, o.Events)
}

func compact(raw json.RawMessage) []byte {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}
