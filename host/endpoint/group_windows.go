package endpoint

import (
	"os"
	"os/exec"
	"sync"
	"unsafe"

	"golang.org/x/sys/windows"
)

// group is the job object of one browser. The job ends with its last handle,
// which only the host holds, and takes its processes with it.
type group struct {
	job  windows.Handle
	once sync.Once
}

func newGroup() (*group, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return nil, err
	}
	var info windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	if _, err := windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info))); err != nil {
		_ = windows.CloseHandle(job)
		return nil, err
	}
	return &group{job: job}, nil
}

// adopt lets cmd start as a member of the group.
func (g *group) adopt(*exec.Cmd) {}

// joined puts the running process into the job.
func (g *group) joined(p *os.Process) error {
	h, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(p.Pid))
	if err != nil {
		return err
	}
	defer func() { _ = windows.CloseHandle(h) }()
	return windows.AssignProcessToJobObject(g.job, h)
}

// ask ends the browser at once: Windows has no signal that asks a process
// without a console.
func (g *group) ask(*os.Process) { g.kill() }

// kill ends every process of the job.
func (g *group) kill() {
	g.once.Do(func() {
		_ = windows.TerminateJobObject(g.job, 1)
		_ = windows.CloseHandle(g.job)
	})
}

func (g *group) leaderPID() int { return 0 }
