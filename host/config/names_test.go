package config_test

import (
	"errors"
	"testing"

	"cdphost/host/config"
	"cdphost/sdk/fault"
)

func TestCheckNames(t *testing.T) {
	t.Parallel()
	c := mustParse(t, `browser: {dialog_policy: quiet_hours, dialog_bridge: smoke}
plugins: {quiet: {path: ./quiet}}
toolsets:
  core: {tools: [browser, page_title], dialog_policy: rules, gates: {page_title: cdp}}
`)
	if err := c.CheckNames([]string{"quiet_hours"}, []string{"smoke"}, []string{"page_title"}); err != nil {
		t.Errorf("all known: %v", err)
	}
	err := c.CheckNames([]string{"quiet_hour"}, nil, nil)
	const want = `config.yaml:1:26: browser.dialog_policy: unknown policy "quiet_hours" (did you mean "quiet_hour"?); allowed: must_respond, auto_dismiss, auto_accept, rules, quiet_hour
config.yaml:1:54: browser.dialog_bridge: unknown bridge "smoke"; allowed: auto, none, bridge-browserbase, bridge-debugger
config.yaml:4:27: toolsets.core.tools[1]: unknown tool "page_title"; allowed: browser_navigate, browser_snapshot, browser_dialog, browser_cdp, browser_connect, browser_disconnect, browser, task
config.yaml:4:82: toolsets.core.gates.page_title: unknown tool "page_title"; allowed: browser_navigate, browser_snapshot, browser_dialog, browser_cdp, browser_connect, browser_disconnect, browser, task`
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	if !errors.Is(err, fault.ConfigInvalid) {
		t.Error("not fault.ConfigInvalid")
	}
}

// Without any policy plugin the host still holds dialogs.
func TestNoPolicyPlugin(t *testing.T) {
	t.Parallel()
	c := mustParse(t, "plugins: {dialog: null}\ntoolsets: {hermes-acp: null}")
	if err := c.CheckNames(nil, nil, nil); err != nil {
		t.Error(err)
	}
	_, err := parse(t, "plugins: {dialog: null}")
	const want = `config.yaml: toolsets.hermes-acp.dialog_policy: unknown policy "auto_dismiss" (the default); allowed: must_respond`
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}

func TestCheckListen(t *testing.T) {
	t.Parallel()
	open := config.Defaults()
	locked := mustParse(t, "server: {token: x}")
	own := mustParse(t, "toolsets: {browser: {token: a}, core: null, hermes-acp: null}")
	tests := []struct {
		addr     string
		loopback bool
	}{
		{"127.0.0.1:0", true}, {"127.8.9.1:80", true}, {"localhost:7717", true}, {"[::1]:7717", true},
		{":7717", false}, {"0.0.0.0:7717", false}, {"[::]:7717", false}, {"192.168.1.2:80", false},
		{"example.com:80", false}, {"[fe80::1%eth0]:80", false}, {"[::ffff:127.0.0.1]:80", true},
	}
	for _, tt := range tests {
		if err := open.CheckListen(tt.addr); (err == nil) != tt.loopback {
			t.Errorf("no token, %s: %v", tt.addr, err)
		}
		if err := errors.Join(locked.CheckListen(tt.addr), own.CheckListen(tt.addr)); err != nil {
			t.Errorf("token, %s: %v", tt.addr, err)
		}
	}
	for _, addr := range []string{"", "7717", "127.0.0.1", "127.0.0.1:http", "127.0.0.1:70000", "::1:80", "a b:80"} {
		if err := locked.CheckListen(addr); !errors.Is(err, fault.ConfigInvalid) {
			t.Errorf("%q: %v", addr, err)
		}
	}
}
