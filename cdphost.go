// Package cdphost carries the default configuration, so that the one binary
// runs without any file.
package cdphost

import _ "embed"

// DefaultConfig is the text of config.yaml as it was when the program was
// built. Callers must not change it.
//
//go:embed config.yaml
var DefaultConfig []byte
