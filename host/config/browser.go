package config

import "time"

// Browser says which browser tasks use and how the host treats its pages.
type Browser struct {
	// Where the browser comes from. A file that sets cdp_url and names no
	// backend means cdp.
	Backend Backend `yaml:"backend"`
	// Where the browser of backend cdp is: ws://HOST/devtools/browser/ID,
	// http://HOST:PORT or HOST:PORT. It may hold a token and is never printed.
	CDPURL Secret `yaml:"cdp_url"`
	// The browser's program for backend local. Empty: $CHROME_PATH, then what is
	// found.
	Executable string `yaml:"executable" format:"executable"`
	// Launch without a window.
	Headless bool `yaml:"headless"`
	// More command-line arguments for a launched browser.
	Args []string `yaml:"args"`
	// What a task gets of its own: a browser context (cookies and storage) or a
	// browser process.
	Isolation Isolation `yaml:"isolation"`
	// What happens to a JavaScript dialog: must_respond, auto_dismiss,
	// auto_accept, rules, or a policy that a plugin declares.
	DialogPolicy string `yaml:"dialog_policy" format:"name" needed:"true"`
	// Seconds after which a held dialog is dismissed all the same.
	DialogTimeout time.Duration `yaml:"dialog_timeout_s" unit:"s" min:">0" max:"86400"`
	// How dialogs reach the host where native ones can't be answered: auto (none
	// locally, bridge-browserbase on Browserbase), none, bridge-browserbase,
	// bridge-debugger, or a bridge that a plugin declares.
	DialogBridge string `yaml:"dialog_bridge" format:"name" needed:"true"`
	// Characters kept of a dialog's message.
	DialogMessageCap int `yaml:"dialog_message_cap" min:"1" max:"10240"`
	// Dialogs a second of one page from which on they are dismissed without
	// asking anybody.
	DialogFloodPerSecond int `yaml:"dialog_flood_per_second" min:"1" max:"10000"`
	// What a snapshot shows of the frame tree.
	FrameTree FrameTree `yaml:"frame_tree"`
	// Bytes of the biggest CDP message. A bigger reply fails its call; a bigger
	// event is dropped and counted.
	ReadLimitBytes int64 `yaml:"read_limit_bytes" min:"65536" max:"4294967296"`
	// Whether a second connection keeps dialogs answerable when the first one
	// drops. auto: where the endpoint allows it.
	StandbyConnection Switch `yaml:"standby_connection"`
	// Domains that no page may go to; subdomains are blocked with them.
	BlockedDomains []string `yaml:"blocked_domains" format:"domain"`
	// The folder from which files may be uploaded, relative to this file. Empty:
	// no uploads.
	UploadRoot string `yaml:"upload_root" format:"path"`
}

// FrameTree bounds what a snapshot shows of a page's frames.
type FrameTree struct {
	// Frames listed below the top one.
	MaxChildren int `yaml:"max_children" min:"0" max:"10000"`
	// Levels of cross-process frames.
	MaxOOPIFDepth int `yaml:"max_oopif_depth" min:"0" max:"100"`
}

// Backend is a kind of place where browsers come from.
type Backend string

// Backends.
const (
	BackendLocal       Backend = "local"
	BackendCDP         Backend = "cdp"
	BackendBrowserbase Backend = "browserbase"
	BackendCamofox     Backend = "camofox"
	BackendNone        Backend = "none"
)

func (Backend) values() []string {
	return enumValues(BackendLocal, BackendCDP, BackendBrowserbase, BackendCamofox, BackendNone)
}

// HasCDP reports whether browsers of the backend speak CDP.
func (b Backend) HasCDP() bool {
	return b == BackendLocal || b == BackendCDP || b == BackendBrowserbase
}

// Isolation is what a task gets of its own.
type Isolation string

// Isolations.
const (
	IsolationContext Isolation = "context"
	IsolationBrowser Isolation = "browser"
)

func (Isolation) values() []string { return enumValues(IsolationContext, IsolationBrowser) }

// Switch is on, off, or left to the host.
type Switch string

// Switches.
const (
	Auto Switch = "auto"
	On   Switch = "on"
	Off  Switch = "off"
)

func (Switch) values() []string { return enumValues(Auto, On, Off) }
