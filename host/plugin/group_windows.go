package plugin

import (
	"os"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// isolate gives the process no console signals of the host.
func isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
}

// group is a job object that ends its processes when it is closed, which the
// system does when the host dies.
type group struct {
	process *os.Process
	job     windows.Handle
}

func newGroup(p *os.Process) *group {
	g := &group{process: p}
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return g
	}
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err == nil {
		var handle windows.Handle
		handle, err = windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(p.Pid))
		if err == nil {
			err = windows.AssignProcessToJobObject(job, handle)
			_ = windows.CloseHandle(handle)
		}
	}
	if err != nil {
		_ = windows.CloseHandle(job)
		return g
	}
	g.job = job
	return g
}

// wait reaps the process, then calls over and ends the job.
func (g *group) wait(cmd *exec.Cmd, over func()) error {
	err := cmd.Wait()
	over()
	if g.job != 0 {
		_ = windows.CloseHandle(g.job)
	}
	return err
}

func (g *group) kill() {
	if g.job != 0 {
		_ = windows.TerminateJobObject(g.job, 1)
		return
	}
	_ = g.process.Kill()
}
