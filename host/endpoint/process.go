package endpoint

import (
	"context"
	"errors"
	"os/exec"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-hclog"

	"cdphost/sdk/fault"
)

const (
	// closeGrace is how long a browser may take to end by itself before it is
	// killed: enough to write a profile that is kept.
	closeGrace = 5 * time.Second
	// pipeGrace is how long a browser's stderr may stay open after its end.
	pipeGrace = time.Second
)

// Process is a browser that Launch started. All methods may run at the same
// time. When the browser ends by itself, its child processes and its temporary
// profile are taken away without a call; Close waits for that.
type Process struct {
	log     hclog.Logger
	url     URL
	profile string
	dir     *workDir // nil when the profile is kept
	tail    *tail
	group   *group
	cmd     *exec.Cmd

	closing  atomic.Bool
	done     chan struct{} // closed at the end of the browser
	exit     error         // written before done
	finished chan struct{} // closed when nothing is left
	removal  error         // written before finished
}

// URL returns the browser's WebSocket address.
func (p *Process) URL() URL { return p.url }

// PID returns the id of the browser's main process.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Profile returns the browser's profile folder.
func (p *Process) Profile() string { return p.profile }

// Done is closed when the browser has ended, for whatever reason.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err returns nil while the browser runs and after Close, and a
// fault.BrowserGone with the browser's last words when it ended by itself.
func (p *Process) Err() error {
	select {
	case <-p.done:
	default:
		return nil
	}
	if p.closing.Load() {
		return nil
	}
	return fault.Wrap(p.exit, fault.BrowserGone, "The browser ended by itself (%s).%s", p.status(), p.tail.quote())
}

// Close ends the browser: it asks, and after 5 s, or at the end of ctx, kills
// the whole process group; then it removes a temporary profile. It returns when
// all that is done, however often it is called. The error is about the removal
// of the profile only.
func (p *Process) Close(ctx context.Context) error {
	select {
	case <-p.done:
	default:
		if p.closing.CompareAndSwap(false, true) {
			p.group.ask(p.cmd.Process)
		}
	}
	grace := time.NewTimer(closeGrace)
	defer grace.Stop()
	select {
	case <-p.done:
	case <-ctx.Done():
		p.group.kill()
	case <-grace.C:
		p.log.Debug("browser did not end when asked: killing it", "pid", p.PID())
		p.group.kill()
	}
	<-p.finished
	return p.removal
}

// start starts cmd and the goroutine that owns it. On an error nothing is left.
func (p *Process) start(cmd *exec.Cmd) error {
	p.cmd = cmd
	cmd.Stderr = p.tail
	cmd.WaitDelay = pipeGrace
	p.group.adopt(cmd)
	started := make(chan error, 1)
	go p.run(started)
	err := <-started
	if err != nil {
		<-p.finished
	}
	return err
}

// run starts the browser, waits for its end and clears up. It keeps its thread
// for as long as the browser lives: Linux sends the parent-death signal when the
// thread that started the process ends, not the process.
func (p *Process) run(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer close(p.finished)

	err := p.cmd.Start()
	if err == nil {
		if err = p.group.joined(p.cmd.Process); err != nil {
			_ = p.cmd.Process.Kill()
			_ = p.cmd.Wait()
		}
	}
	started <- err
	if err != nil {
		p.exit = err
		close(p.done)
		p.group.kill()
		p.removal = p.dir.remove()
		return
	}
	err = p.cmd.Wait()
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil // a child outlived the browser with its stderr
	}
	p.exit = err
	close(p.done)
	p.group.kill()
	p.removal = p.dir.remove()
	if p.removal != nil {
		p.log.Warn("temporary profile is left behind; the next start removes it", "folder", p.dir.root, "error", p.removal)
	}
}

// status says how the browser ended. It may be called after done.
func (p *Process) status() string {
	if p.cmd.ProcessState == nil {
		return "not started"
	}
	return p.cmd.ProcessState.String()
}
