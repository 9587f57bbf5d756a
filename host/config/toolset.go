package config

import "time"

// Toolset is a named list of tools with the rules of those who use it.
type Toolset struct {
	// The entry's name; its endpoint is /mcp/NAME.
	Name string `yaml:"-"`
	// The tools, offered where their gates are open. A list that has browser and
	// task offers task while the subagent is on, and browser otherwise.
	Tools []string `yaml:"tools" format:"tool"`
	// The dialog policy of tasks made through this toolset. Empty:
	// browser.dialog_policy.
	DialogPolicy string `yaml:"dialog_policy" format:"name"`
	// The bearer token of this endpoint. Empty: server.token.
	Token Secret `yaml:"token"`
	// A file that holds the bearer token, relative to this file.
	TokenFile string `yaml:"token_file" secret:"token"`
	// CDP methods that browser_cdp may call: Domain.method, Domain.* or *.
	CDP Rules `yaml:"cdp" format:"method"`
	// Origins that pages may go to: scheme://host[:port], where host may start
	// with *. for all subdomains, or *.
	Origins Rules `yaml:"origins" format:"origin"`
	// URL schemes that are refused unless named here, such as file, chrome and
	// devtools.
	AllowSchemes []string `yaml:"allow_schemes" format:"scheme"`
	// What one task may use.
	Budgets Budgets `yaml:"budgets"`
	// Gates that hold here in place of the general ones, by the tool's name.
	Gates map[string]Gate `yaml:"gates" format:"gate"`
}

func (t *Toolset) setDefaults(name string) { t.Name = name }

// Rules is a pair of pattern lists. What Deny matches is refused; else an empty
// Allow allows all, and one that is not empty only what it matches.
type Rules struct {
	// Patterns of what is allowed. Empty: all.
	Allow []string `yaml:"allow"`
	// Patterns of what is refused; wins over allow.
	Deny []string `yaml:"deny"`
}

// Budgets bounds what one task may use. 0 is no limit.
type Budgets struct {
	// Browser actions of one task. 0: no limit.
	MaxActions int `yaml:"max_actions" min:"0" max:"1000000"`
	// Seconds of one task. 0: no limit.
	MaxTime time.Duration `yaml:"max_seconds" unit:"s" min:"0" max:"2592000"`
}
