package sdk

import (
	"embed"
	"io/fs"
)

// source is this module. A program that does not call Source does not carry it.
//
//go:embed go.mod go.sum *.go conformance fault internal proto sdktest
var source embed.FS

// Source returns the files of this module, tests included. `cdphost plugin new`
// writes them beside a new plugin, which then builds without a published SDK.
func Source() fs.FS { return source }
