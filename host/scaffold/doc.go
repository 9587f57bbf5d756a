// Package scaffold writes the module of a new plugin: one that builds, passes its
// own tests and the conformance suite, and is short enough to be read before it
// is changed.
//
// It writes into an empty folder only, and nothing when it fails before writing.
package scaffold
