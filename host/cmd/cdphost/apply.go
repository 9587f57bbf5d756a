package main

import (
	"context"
	"errors"
	"slices"
	"time"

	"cdphost/host/config"
	"cdphost/host/plugin"
)

// applyTimeout bounds a change of the configuration: plugins have 10 s for each
// step of their start.
const applyTimeout = 60 * time.Second

// changed is told by the watcher of a new configuration, or of one that is
// invalid, in which case nothing changes.
func (h *host) changed(cfg *config.Config, err error) {
	if err == nil {
		ctx, cancel := context.WithTimeout(context.Background(), applyTimeout)
		defer cancel()
		_, err = h.apply(ctx, cfg)
	}
	if err != nil {
		h.logger.Error("the configuration was not changed", "error", err)
	}
}

// apply brings a configuration into force: checked whole first, then what has
// changed is started beside the old, and switched. On an error nothing has
// changed. Connections to browsers never notice.
func (h *host) apply(ctx context.Context, cfg *config.Config) ([]config.Change, error) {
	h.applying.Lock()
	defer h.applying.Unlock()
	old := h.config.Load()
	changes := config.Diff(old, cfg)
	words := make([]string, len(changes))
	for i, c := range changes {
		words[i] = c.String()
	}
	watched, err := h.watch.Prepare(watchSettings(cfg), words)
	if err != nil {
		return nil, err
	}
	defer watched.Discard()
	if len(changes) == 0 {
		h.config.Store(cfg)
		if cfg.Version() != old.Version() {
			watched.Commit()
		}
		return nil, nil
	}
	descriptions, err := h.plugins.Check(ctx, pluginSpecs(cfg))
	if err != nil {
		return nil, explainPlugin(cfg, err)
	}
	if err := checkDescribed(cfg, descriptions); err != nil {
		return nil, err
	}
	if err := h.plugins.Apply(ctx, h.specs(cfg)); err != nil {
		return nil, explainPlugin(cfg, err)
	}
	if err := h.server.SetAccess(access(cfg)); err != nil {
		return nil, err
	}
	h.config.Store(cfg)
	watched.Commit()
	h.redactor.Know(secrets(cfg)...)
	h.tasks.Reconfigure()
	h.redecide()
	h.refresh()
	for _, change := range words {
		h.logger.Info("configuration changed", "change", change, "version", cfg.Version())
	}
	return changes, nil
}

// explainPlugin gives what a plugin says of its configuration its place in the
// file.
func explainPlugin(cfg *config.Config, err error) error {
	var bad *plugin.ConfigError
	if !errors.As(err, &bad) {
		return err
	}
	var list config.ErrorList
	for _, p := range bad.Problems {
		list = append(list, cfg.PluginError(bad.Plugin, p.Path, p.String()))
	}
	return list
}

// checkNames checks the names in the configuration against what the running
// plugins describe.
func checkNames(cfg *config.Config, m *plugin.Manager) error {
	var bridges, tools []string
	for _, s := range m.Status() {
		if slices.Contains(s.Hooks, "dialog-bridge") {
			bridges = append(bridges, s.Name)
		}
	}
	for _, t := range m.Tools() {
		tools = append(tools, t.Name)
	}
	return cfg.CheckNames(m.Policies(), bridges, tools)
}

// checkDescribed checks them against what plugins that were only checked describe.
func checkDescribed(cfg *config.Config, descriptions []plugin.Description) error {
	var policies, bridges, tools []string
	for _, d := range descriptions {
		policies = append(policies, d.Policies...)
		tools = append(tools, d.Tools...)
		if slices.Contains(d.Hooks, "dialog-bridge") {
			bridges = append(bridges, d.Instance)
		}
	}
	return cfg.CheckNames(policies, bridges, tools)
}
