//go:build unix && !linux

package endpoint

import "syscall"

// dieWithParent does nothing where the kernel has no parent-death signal: the
// group's leader alone ends the browser.
func dieWithParent(*syscall.SysProcAttr) {}
