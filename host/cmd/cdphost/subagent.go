package main

import (
	"net/http"
	"time"

	"cdphost/host/config"
	"cdphost/host/subagent"
	"cdphost/host/subagent/anthropic"
	"cdphost/host/subagent/openai"
	"cdphost/host/tool"
	"cdphost/sdk/fault"

	"github.com/spf13/cobra"
)

// artifactBytes bounds what the host keeps of finished work: some hundred
// screenshots.
const artifactBytes = 64 << 20

func transcriptFlag(cmd *cobra.Command, dir *string) {
	cmd.Flags().StringVar(dir, "transcript", "", "record each call of task as a file of JSON lines in `DIR`; secrets are redacted")
}

// agents is what the task tool works with.
type agents struct {
	artifacts *tool.Artifacts
	transport *http.Transport // of all models
}

// startAgents makes the task tool. transcripts is the folder for records of its
// runs, "" for none.
func (h *host) startAgents(kit *tool.Kit, transcripts string) (*tool.Tool, error) {
	h.agents = &agents{
		artifacts: tool.NewArtifacts(artifactBytes),
		transport: &http.Transport{
			Proxy:               http.ProxyFromEnvironment,
			ForceAttemptHTTP2:   true,
			IdleConnTimeout:     90 * time.Second,
			TLSHandshakeTimeout: 10 * time.Second,
		},
	}
	options := subagent.Options{Logger: h.logger.Named("subagent")}
	if transcripts != "" {
		t, err := subagent.NewTranscripts(transcripts, func(text string) string {
			clean, _ := h.redactor.Text(text)
			return clean
		})
		if err != nil {
			return nil, err
		}
		options.Transcripts = t
	}
	return tool.TaskTool(tool.TaskOptions{
		Kit: kit, Agent: subagent.New(options), Artifacts: h.agents.artifacts,
		Plan: func() (tool.TaskPlan, error) { return taskPlan(h.config.Load(), h.agents.transport) },
	}), nil
}

// close ends the connections to models that nobody uses.
func (a *agents) close() {
	if a != nil {
		a.transport.CloseIdleConnections()
	}
}

// taskPlan says with which model and budget a call of task works. A call goes on
// with what it began with when the configuration changes.
func taskPlan(cfg *config.Config, transport http.RoundTripper) (tool.TaskPlan, error) {
	if on, why := cfg.SubagentOn(); !on {
		return tool.TaskPlan{}, fault.New(fault.GateClosed, "The browser agent is off: %s.", why)
	}
	model, err := languageModel(cfg, transport)
	if err != nil {
		return tool.TaskPlan{}, err
	}
	s := cfg.Subagent
	return tool.TaskPlan{
		Model:  model,
		Budget: subagent.Budget{Actions: s.MaxActions, Tokens: s.MaxTokens, Time: s.MaxTime},
	}, nil
}

func languageModel(cfg *config.Config, transport http.RoundTripper) (subagent.Model, error) {
	m := cfg.Subagent.Model
	key, err := modelKey(cfg)
	if err != nil {
		return nil, err
	}
	switch m.Provider {
	case config.ProviderOpenAI:
		return openai.New(openai.Options{BaseURL: m.BaseURL, Model: m.Model, APIKey: key, Transport: transport}), nil
	case config.ProviderAnthropic:
		return anthropic.New(anthropic.Options{BaseURL: m.BaseURL, Model: m.Model, APIKey: key, Transport: transport}), nil
	}
	return nil, fault.New(fault.ConfigInvalid, "subagent.model.provider %q is not known.", m.Provider)
}

// modelKey is the secret key for the model. The built-in default, a key for
// OpenAI, is for OpenAI's own protocol only: another provider must not get it. A
// service of one's own may need no key.
func modelKey(cfg *config.Config) (string, error) {
	const path = "subagent.model.api_key"
	m := cfg.Subagent.Model
	byDefault := m.APIKeyFile == "" && cfg.Position(path).File == config.BuiltinName
	key := m.APIKey.Reveal()
	if byDefault && m.Provider != config.ProviderOpenAI {
		key = ""
	}
	missing := m.APIKey.Missing()
	switch {
	case missing != "" && !byDefault:
		return "", fault.New(fault.ConfigInvalid, "%s names the environment variable %s, which is not set.", path, missing)
	case key == "" && m.BaseURL == "":
		return "", fault.New(fault.ConfigInvalid, "The model needs a key: set %s or api_key_file.", path)
	}
	return key, nil
}
