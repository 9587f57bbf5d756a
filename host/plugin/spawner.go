package plugin

import (
	"os/exec"
	"runtime"

	"cdphost/sdk/fault"
)

// spawner starts processes from one thread that lives as long as the manager,
// because Linux sends a child its parent-death signal when the thread that
// started it ends.
type spawner struct {
	jobs chan spawnJob
	quit chan struct{}
	done chan struct{}
}

type spawnJob struct {
	cmd   *exec.Cmd
	reply chan error
}

func newSpawner() *spawner {
	s := &spawner{jobs: make(chan spawnJob), quit: make(chan struct{}), done: make(chan struct{})}
	go s.run()
	return s
}

func (s *spawner) run() {
	defer close(s.done)
	runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
	for {
		select {
		case j := <-s.jobs:
			j.reply <- j.cmd.Start()
		case <-s.quit:
			return
		}
	}
}

// start starts cmd.
func (s *spawner) start(cmd *exec.Cmd) error {
	j := spawnJob{cmd: cmd, reply: make(chan error, 1)}
	select {
	case s.jobs <- j:
		return <-j.reply
	case <-s.done:
		return fault.New(fault.PluginUnavailable, "the host is shutting down")
	}
}

// close ends the thread; every process that it started must have ended.
func (s *spawner) close() {
	close(s.quit)
	<-s.done
}
