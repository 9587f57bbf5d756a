package main

import (
	"context"
	"encoding/json"
	"io"
	"math"
	"time"

	"cdphost/host/capture"
	"cdphost/host/cdp"
	"cdphost/host/config"
	"cdphost/host/endpoint"
	"cdphost/host/page"
	"cdphost/host/plugin"
	"cdphost/host/server"
	"cdphost/host/supervisor"
	"cdphost/host/tool"
	"cdphost/sdk/fault"

	"github.com/hashicorp/go-hclog"
)

// What the configuration says, in the words of the parts.

func newLogger(cfg *config.Config, w io.Writer) hclog.Logger {
	return hclog.New(&hclog.LoggerOptions{
		Name: "cdphost", Level: hclog.LevelFromString(string(cfg.Log.Level)), Output: w,
		JSONFormat: cfg.Log.Format == config.FormatJSON,
	})
}

func pluginSpecs(cfg *config.Config) []plugin.Spec {
	specs := make([]plugin.Spec, 0, len(cfg.Plugins))
	for name, p := range cfg.Plugins {
		if bridges[p.Builtin] && name != bridgeName(cfg) {
			continue // a bridge that no task goes over is not worth a process
		}
		specs = append(specs, pluginSpec(p))
	}
	return specs
}

func pluginSpec(p config.Plugin) plugin.Spec {
	return plugin.Spec{
		Name: p.Name, Builtin: string(p.Builtin), Path: p.Path, SHA256: p.SHA256, Env: p.Env, MTLS: p.MTLS,
		Priority: p.Priority, AllowOnFailure: p.OnFailure == config.Allow, Timeout: p.Timeout,
		Grants: plugin.Grants{All: p.Builtin != "", Toolsets: p.Grants.Toolsets, Methods: p.Grants.Methods, Events: p.Grants.Events},
		Config: p.Config.JSON(),
	}
}

var bridges = map[config.Builtin]bool{config.BuiltinBridgeBrowserbase: true, config.BuiltinBridgeDebugger: true}

// bridgeName is the dialog bridge in use, "" for none.
func bridgeName(cfg *config.Config) string {
	switch name := cfg.Browser.DialogBridge; name {
	case "auto":
		if cfg.Browser.Backend == config.BackendBrowserbase {
			return string(config.BuiltinBridgeBrowserbase)
		}
		return ""
	case "none":
		return ""
	default:
		return name
	}
}

// bridge is the dialog bridge that tasks go over; nil leaves dialogs native.
func (h *host) bridge(cfg *config.Config) supervisor.Bridge {
	if name := bridgeName(cfg); name != "" {
		return h.plugins.Bridge(name)
	}
	return nil
}

func backend(cfg *config.Config) (endpoint.Spec, error) {
	b := cfg.Browser
	spec := endpoint.Spec{
		Kind: endpoint.Kind(b.Backend), Executable: b.Executable, Headless: b.Headless, Args: b.Args,
		Isolated: b.Isolation == config.IsolationBrowser,
	}
	switch b.Backend {
	case config.BackendCDP:
		if name := b.CDPURL.Missing(); name != "" {
			return spec, fault.New(fault.ConfigInvalid, "browser.cdp_url names the environment variable %s, which is not set", name)
		}
		u, err := endpoint.ParseURL(b.CDPURL.Reveal())
		if err != nil {
			return spec, err
		}
		spec.URL = u
	case config.BackendBrowserbase:
		spec.Rental = endpoint.Rental{
			ProjectID: cfg.Browserbase.ProjectID, Region: cfg.Browserbase.Region,
			KeepAlive: cfg.Browserbase.KeepAlive, Timeout: cfg.Browserbase.Timeout,
		}
		if cfg.Browserbase.Proxies {
			spec.Rental.Proxies = json.RawMessage("true")
		}
	}
	return spec, nil
}

// userBrowser says which browser to join: the one named, the configured one of
// backend cdp, or the one that listens where browsers usually do.
func userBrowser(cfg *config.Config, raw string) (endpoint.Spec, error) {
	spec := endpoint.Spec{Kind: endpoint.CDP, UserOwned: true}
	if raw != "" {
		u, err := endpoint.ParseURL(raw)
		spec.URL = u
		return spec, err
	}
	if cfg.Browser.Backend == config.BackendCDP {
		configured, err := backend(cfg)
		configured.UserOwned = true
		return configured, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	found := endpoint.Discover(ctx)
	if len(found) == 0 {
		return spec, fault.New(fault.EndpointUnreachable,
			"no browser with remote debugging was found; start one with --remote-debugging-port=9222 and a --user-data-dir of its own, or name its url")
	}
	spec.URL = found[0].URL
	return spec, nil
}

func provider(cfg *config.Config, r endpoint.Rental) (endpoint.Provider, error) {
	if name := cfg.Browserbase.APIKey.Missing(); name != "" {
		return nil, fault.New(fault.ConfigInvalid, "the browserbase backend needs a key: browserbase.api_key names the environment variable %s, which is not set", name)
	}
	return endpoint.NewBrowserbase(endpoint.BrowserbaseOptions{
		APIKey: cfg.Browserbase.APIKey.Reveal(), BaseURL: cfg.Browserbase.BaseURL, Rental: r,
	})
}

func toolsets(cfg *config.Config) map[string]*tool.Toolset {
	sets := make(map[string]*tool.Toolset, len(cfg.Toolsets))
	for name, t := range cfg.Toolsets {
		set := &tool.Toolset{
			Name: name, Tools: t.Tools, DialogPolicy: t.DialogPolicy,
			Methods: tool.MethodRules{Allow: t.CDP.Allow, Deny: t.CDP.Deny},
			Gates:   map[string]tool.Gate{},
		}
		for _, tl := range t.Tools {
			if g, path := cfg.Gate(name, tl); path != "" {
				set.Gates[tl] = tool.Gate(g)
			}
		}
		sets[name] = set
	}
	return sets
}

// access is what is served to whom.
func access(cfg *config.Config) server.Access {
	return server.Access{
		Toolsets: toolsets(cfg), DefaultToolset: cfg.Server.DefaultToolset,
		Tokens:       tokens(cfg),
		AllowedHosts: cfg.Server.AllowedHosts, AllowedOrigins: cfg.Server.AllowedOrigins,
	}
}

// tokens are who may call: each toolset's own token, and the general one. One
// that names a variable which is not set lets nobody in.
func tokens(cfg *config.Config) []server.Token {
	var out []server.Token
	add := func(caller string, secret config.Secret, toolset string) {
		switch {
		case secret.Missing() != "":
			out = append(out, server.Token{Caller: caller, Toolset: toolset})
		case !secret.IsZero():
			out = append(out, server.Token{Caller: caller, Secret: secret.Reveal(), Toolset: toolset})
		}
	}
	add("server", cfg.Server.Token, "")
	for name, t := range cfg.Toolsets {
		add("toolset:"+name, t.Token, name)
	}
	return out
}

// secrets are the texts that no result may show.
func secrets(cfg *config.Config) []string {
	all := []string{
		cfg.Browser.CDPURL.Reveal(), cfg.Browserbase.APIKey.Reveal(), cfg.Server.Token.Reveal(), cfg.Subagent.Model.APIKey.Reveal(),
	}
	for _, t := range cfg.Toolsets {
		all = append(all, t.Token.Reveal())
	}
	return all
}

func budget(cfg *config.Config, toolset string) tool.Budget {
	b := cfg.Toolsets[toolset].Budgets
	return tool.Budget{Actions: b.MaxActions, Time: b.MaxTime}
}

func agentHolder(cfg *config.Config, toolset string) capture.Holder {
	return capture.Holder{
		Name: "agent", Trusted: true, KeepsWhatItMakes: true,
		Priority: math.MinInt, // plugins see what it makes of a request, not the other way round
		Schemes:  cfg.Toolsets[toolset].AllowSchemes, Upload: cfg.Browser.UploadRoot != "",
		UploadRoot: cfg.Browser.UploadRoot,
	}
}

func pageOptions(cfg *config.Config, toolset string, logger hclog.Logger) page.Options {
	origins := cfg.Toolsets[toolset].Origins
	return page.Options{
		Logger: logger.Named("page"), BlockedDomains: cfg.Browser.BlockedDomains,
		Origins: page.Origins{Allow: origins.Allow, Deny: origins.Deny}, UploadRoot: cfg.Browser.UploadRoot,
	}
}

// guards adapts the guards of plugins to what capture asks.
func guards(m *plugin.Manager) capture.GuardSource {
	return func(method string) []capture.Guard {
		of := m.Guards(method)
		if len(of) == 0 {
			return nil
		}
		out := make([]capture.Guard, len(of))
		for i, g := range of {
			out[i] = guard{g}
		}
		return out
	}
}

type guard struct{ *plugin.Guard }

func (g guard) Compare() []capture.Field {
	names := g.Guard.Compare()
	fields := make([]capture.Field, len(names))
	for i, n := range names {
		fields[i] = capture.Field(n)
	}
	return fields
}

func (g guard) Validate(ctx context.Context, req capture.GuardRequest) (json.RawMessage, error) {
	return g.Guard.Validate(ctx, plugin.GuardRequest{
		Task: req.Task, Sender: req.Sender, Facts: plugin.Facts(req.Facts),
		Command: cdp.Command{SessionID: req.Command.SessionID, Method: req.Command.Method, Params: req.Command.Params},
	})
}
