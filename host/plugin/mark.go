package plugin

import "crypto/rand"

// markEnv is the variable in a plugin's environment by which its descendants are
// known from all other processes. Its value is the mark of the host, a dot, and one
// of the process's own.
const markEnv = "CDPHOST_PLUGIN_MARK"

// newMark returns what nobody else has.
func newMark() string { return rand.Text() }

// isMark reports whether s can have come from newMark. A text that is shorter could
// be the beginning of others' marks.
func isMark(s string) bool { return len(s) == len(newMark()) }
