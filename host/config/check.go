package config

import (
	"fmt"
	"maps"
	"net"
	"slices"
	"strings"
)

// crossCheck reports what is wrong between keys. It says nothing about keys that
// have been reported already.
func (d *decoder) crossCheck() {
	c := d.config
	if c.Browser.Backend == BackendCDP && c.Browser.CDPURL.IsZero() && c.Browser.CDPURL.Missing() == "" {
		d.failAt("browser.backend", Error{Problem: "cdp needs browser.cdp_url"})
	}
	for _, name := range slices.Sorted(maps.Keys(c.Plugins)) {
		d.checkPlugin(c.Plugins[name])
	}
	for _, name := range slices.Sorted(maps.Keys(c.Toolsets)) {
		if len(c.Toolsets[name].Tools) == 0 {
			d.failAt("toolsets."+name+".tools", Error{Problem: "lists no tools"})
		}
	}
	d.checkDefaultToolset()
	if !c.thirdParty() {
		for _, e := range c.checkNames(c.builtinNames()) {
			d.report(e)
		}
	}
	if problem := c.listenProblem(c.Server.Listen); problem != "" {
		d.failAt("server.listen", Error{Problem: problem})
	}
	d.checkSubagent()
}

func (d *decoder) checkPlugin(p Plugin) {
	path := "plugins." + p.Name
	switch {
	case d.failed[path+".builtin"] || d.failed[path+".path"]:
	case p.Builtin == "" && p.Path == "":
		d.failAt(path, Error{Problem: "needs builtin or path"})
	case p.Builtin != "" && p.Path != "":
		d.failAt(path+".path", Error{Problem: "give builtin or path, not both"})
	case p.SHA256 != "" && p.Path == "":
		d.failAt(path+".sha256", Error{Problem: "is for a plugin with path"})
	}
	for i, name := range p.Grants.Toolsets {
		if !has(d.config.Toolsets, name) {
			d.failAt(fmt.Sprintf("%s.grants.toolsets[%d]", path, i), d.unknownToolset(name))
		}
	}
}

func (d *decoder) checkDefaultToolset() {
	const path = "server.default_toolset"
	name := d.config.Server.DefaultToolset
	switch {
	case has(d.config.Toolsets, name):
	case !d.given(path) && d.given("toolsets."+name):
		d.failAt("toolsets."+name, Error{Problem: "takes out the toolset that " + path + " names"})
	default:
		d.failAt(path, d.unknownToolset(name))
	}
}

func (d *decoder) unknownToolset(name string) Error {
	known := slices.Sorted(maps.Keys(d.config.Toolsets))
	return Error{Problem: fmt.Sprintf("unknown toolset %q", name), Suggestion: suggest(name, known), Allowed: known}
}

func (d *decoder) checkSubagent() {
	m := d.config.Subagent.Model
	switch {
	case m.Configured():
	case d.config.Subagent.Enabled == On:
		d.failAt("subagent.enabled", Error{Problem: "on needs subagent.model.provider and subagent.model.model"})
	case m.Provider != "" && d.unset["subagent.model.model"].Name == "":
		d.failAt("subagent.model.provider", Error{Problem: "needs subagent.model.model"})
	case m.Model != "" && d.unset["subagent.model.provider"].Name == "":
		d.failAt("subagent.model.model", Error{Problem: "needs subagent.model.provider", Allowed: Provider("").values()[1:]})
	case m.BaseURL != "" && m.Provider == "" && m.Model == "":
		d.failAt("subagent.model.base_url", Error{Problem: "needs subagent.model.provider and subagent.model.model"})
	}
}

// CheckListen reports whether the server may listen at an address that the flag
// --listen puts in place of server.listen: beyond loopback every toolset needs a
// token. The error is an *Error.
func (c *Config) CheckListen(addr string) error {
	if !isListen(addr) {
		return &Error{Path: "--listen", Problem: quoted(addr) + " is not " + formats["listen"].what}
	}
	if problem := c.listenProblem(addr); problem != "" {
		return &Error{Path: "--listen", Problem: problem}
	}
	return nil
}

func (c *Config) listenProblem(addr string) string {
	if isLoopback(addr) {
		return ""
	}
	if name := c.Server.Token.Missing(); name != "" {
		return "is beyond loopback and needs server.token, but ${" + name + "} is not set"
	}
	if !c.Server.Token.IsZero() {
		return ""
	}
	var open []string
	for name, t := range c.Toolsets {
		if t.Token.IsZero() && t.Token.Missing() == "" {
			open = append(open, name)
		}
	}
	if len(open) == 0 {
		return ""
	}
	slices.Sort(open)
	return "is beyond loopback, and these toolsets have no token: " + strings.Join(open, ", ") +
		"; set server.token, or the toolset's own"
}

// isLoopback reports whether only this machine reaches addr.
func isLoopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

func has[V any](m map[string]V, name string) bool {
	_, ok := m[name]
	return ok
}
