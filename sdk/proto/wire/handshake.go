package wire

import goplugin "github.com/hashicorp/go-plugin"

// ProtocolVersion is the version of package cdphost.plugin.v1. It grows when a
// plugin built against the old one could not work any more.
const ProtocolVersion = 1

// PluginKey is the name under which the one plugin of a process is dispensed.
const PluginKey = "cdphost"

// Handshake tells a cdphost plugin from any other program. It is no secret.
var Handshake = goplugin.HandshakeConfig{
	ProtocolVersion:  ProtocolVersion,
	MagicCookieKey:   "CDPHOST_PLUGIN",
	MagicCookieValue: "cdphost.plugin.v1",
}

// MaxHostMessage bounds what a plugin may send in one message to the host and
// receive from it, in bytes: params and results up to CDP's own read limit.
const MaxHostMessage = 256 << 20
