package config

import "time"

// SubagentEnv switches the subagent off when its value is false, whatever the
// file says.
const SubagentEnv = "ENABLE_BUILTIN_BROWSER_SUBAGENT"

// Subagent is the tool task.
type Subagent struct {
	// Whether task is offered. auto: when the file sets the model.
	Enabled Switch `yaml:"enabled"`
	// The model that does the work.
	Model Model `yaml:"model"`
	// Browser actions of one call.
	MaxActions int `yaml:"max_actions" min:"1" max:"100000"`
	// Seconds of one call.
	MaxTime time.Duration `yaml:"max_seconds" unit:"s" min:">0" max:"86400"`
	// Tokens of one call, in and out. 0: no limit.
	MaxTokens int64 `yaml:"max_tokens" min:"0" max:"1000000000000"`
}

// Model is a language model behind an HTTP endpoint.
type Model struct {
	// The protocol: openai (and all services that speak it) or anthropic.
	Provider Provider `yaml:"provider"`
	// The address of the service. Empty: the provider's own.
	BaseURL string `yaml:"base_url" format:"url"`
	// The model's name.
	Model string `yaml:"model"`
	// The secret key.
	APIKey Secret `yaml:"api_key"`
	// A file that holds the secret key, relative to this file.
	APIKeyFile string `yaml:"api_key_file" secret:"api_key"`
}

// Configured reports whether the model is named.
func (m Model) Configured() bool { return m.Provider != "" && m.Model != "" }

// Provider is a protocol of language models.
type Provider string

// Providers. The empty one is "no model".
const (
	ProviderNone      Provider = ""
	ProviderOpenAI    Provider = "openai"
	ProviderAnthropic Provider = "anthropic"
)

func (Provider) values() []string {
	return enumValues(ProviderNone, ProviderOpenAI, ProviderAnthropic)
}

// SubagentOn reports whether the subagent is on and why, in one clause that
// ends without a full stop.
func (c *Config) SubagentOn() (on bool, why string) {
	switch {
	case c.origin.subagentOff:
		return false, "the environment has " + SubagentEnv + "=false"
	case c.Subagent.Enabled == Off:
		return false, "subagent.enabled is off"
	case !c.Subagent.Model.Configured():
		return false, "the file sets no subagent.model"
	case c.Subagent.Enabled == On:
		return true, "subagent.enabled is on"
	}
	return true, "the file sets subagent.model"
}
