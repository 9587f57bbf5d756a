package endpoint

import "syscall"

// dieWithParent has the kernel kill the process when the thread that starts it
// ends.
func dieWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }
