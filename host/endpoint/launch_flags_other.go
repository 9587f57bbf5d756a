//go:build !linux

package endpoint

// platformFlags are those that depend on the machine.
func platformFlags(bool) []string { return nil }
