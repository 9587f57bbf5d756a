package scaffold

import (
	"maps"
	"slices"
)

// hook is what is said of a plugin with one hook.
type hook struct {
	// does completes "Command NAME ..." and describes the plugin.
	does string
	// entry is the name under which the host asks it, "" for the plugin's own.
	entry string
	// grants are what the sample of config.yaml gives it, "" for nothing.
	grants string
	// config is the sample configuration, in YAML's flow style.
	config string
	// uses is the sample of config.yaml beside the plugin's own entry.
	uses string
	// about is the README's word about what the sample does and how to go on.
	about string
}

var hooks = map[string]hook{
	"dialog-policy": {
		does:   "accepts dialogs of chosen types and holds the others",
		config: "{accept: [alert]}",
		uses:   "browser:\n  dialog_policy: «.Name»\n",
		about: "`policy.go` decides about each alert, confirm, prompt and beforeunload: hold it for the agent, accept it, dismiss it, or ask the\n" +
			"person behind the agent. `accept` in the configuration lists the types that are accepted at once.",
	},
	"frame-router": {
		does:   "sends commands for a frame to the session that the frame has",
		entry:  "frames",
		config: "{}",
		about: "`router.go` says on which session a command with `frame_id` runs. The host asks the plugin named `frames`, so this one takes the\n" +
			"place of the built-in router under that name. A refusal names what to do instead; a command never lands in the top page by accident.",
	},
	"dialog-bridge": {
		does:   "turns dialogs into requests that never reach the network",
		config: "{}",
		uses:   "browser:\n  dialog_bridge: «.Name»\n",
		about: "`override.js` runs in every document and replaces `alert`, `confirm` and `prompt` by a synchronous request; `bridge.go` takes the\n" +
			"request for the dialog that it is, and answers it. Pages with a Content-Security-Policy that names what they may connect to keep their\n" +
			"native dialogs.",
	},
	"command-guard": {
		does:   "refuses navigation to chosen hosts",
		config: "{hosts: [ads.example.com]}",
		about: "`guard.go` sees each command that its filter names, with what the host has read of the page it would act on, and lets it pass,\n" +
			"refuses it, or changes its params. `hosts` in the configuration lists where no page may go.",
	},
	"tool-provider": {
		does:   "offers agents a tool that counts the links of the current page",
		grants: "{toolsets: [browser], methods: [Runtime.evaluate]}",
		config: "{}",
		uses:   "toolsets:\n  browser: {tools: [browser_navigate, browser_snapshot, browser_dialog, browser_cdp, browser, «.Tool»]}\n",
		about: "`tools.go` lists the tools and runs them. A tool reaches the page through a handle, within the grants of its entry in the\n" +
			"configuration, and is offered by the toolsets that name it.",
	},
	"event-subscriber": {
		does:   "logs the dialogs of all tasks",
		grants: `{toolsets: [browser], events: ["Host.*"]}`,
		config: "{}",
		about: "`events.go` is told of the events that it names, in batches, in order per session. One that reads slowly loses events and is told how\n" +
			"many; nobody else notices.",
	},
}

// Hooks lists the hooks that a plugin can be made for.
func Hooks() []string { return slices.Sorted(maps.Keys(hooks)) }
