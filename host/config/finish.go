package config

import (
	"maps"
	"slices"
)

// finish settles what depends on several keys of the file, reads secrets from
// their files and cross-checks the whole.
func (d *decoder) finish(base map[string]Plugin) {
	c := d.config
	if d.given("browser.cdp_url") && !d.given("browser.backend") && !c.Browser.CDPURL.IsZero() {
		c.Browser.Backend = BackendCDP
	}
	for _, name := range slices.Sorted(maps.Keys(c.Plugins)) {
		d.settlePlugin(name, base[name])
	}
	d.readSecrets()
	d.crossCheck()
}

// settlePlugin drops what an entry took over from the default of its name and
// what does not fit the plugin that the file puts there.
func (d *decoder) settlePlugin(name string, base Plugin) {
	p, path := d.config.Plugins[name], "plugins."+name
	if base.Name == "" {
		return
	}
	if d.given(path+".path") && !d.given(path+".builtin") {
		p.Builtin = ""
	}
	other := p.Path != base.Path || p.Builtin != base.Builtin
	if other && !d.given(path+".config") {
		p.Config = nil
		forget(d.unset, path+".config")
		forget(d.config.origin.places, path+".config")
	}
	d.config.Plugins[name] = p
}
