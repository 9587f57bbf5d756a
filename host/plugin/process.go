package plugin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"
)

// pipeGrace is how long after a plugin's end its output is read on, should a
// process that it left behind hold the pipes open.
const pipeGrace = 300 * time.Millisecond

// process is one plugin process in a process group of its own. It is go-plugin's
// runner, so that start, kill, stdout and stderr are ours.
type process struct {
	cmd       *exec.Cmd
	spawner   *spawner
	handshake *handshake
	log       *logWriter
	mark      string // that its descendants carry

	exited chan struct{}
	err    error // valid after exited

	mu     sync.Mutex
	group  *group // nil before the start and after the end
	killed bool
}

// newProcess prepares a process; hostMark is what all processes of this host share.
func newProcess(s *spawner, hostMark, path string, args, env []string, log *logWriter) *process {
	p := &process{
		spawner: s, handshake: newHandshake(log), log: log, mark: hostMark + "." + newMark(), exited: make(chan struct{}),
	}
	p.cmd = exec.Command(path, args...) //nolint:gosec // the path comes from the operator's configuration
	p.cmd.Env = append(env, markEnv+"="+p.mark)
	p.cmd.Stdout = p.handshake
	p.cmd.Stderr = log
	p.cmd.WaitDelay = pipeGrace
	isolate(p.cmd)
	return p
}

// Start implements runner.Runner.
func (p *process) Start(context.Context) error {
	if err := p.spawner.start(p.cmd); err != nil {
		p.err = err
		p.handshake.finish()
		close(p.exited)
		return err
	}
	p.mu.Lock()
	g := newGroup(p.cmd.Process)
	p.group = g
	if p.killed {
		g.kill()
	}
	p.mu.Unlock()
	go p.reap(g)
	return nil
}

// reap waits for the process, ends what it left in its group and elsewhere, and
// lets go of it.
func (p *process) reap(g *group) {
	err := g.wait(p.cmd, func() {
		p.mu.Lock()
		p.group = nil
		g.kill()
		p.mu.Unlock()
		if n := endStrays(p.mark); n > 0 {
			p.log.logger.Warn("the plugin left processes behind; they were ended", "processes", n)
		}
	})
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil
	}
	p.handshake.finish()
	p.log.flush()
	p.err = err
	close(p.exited)
}

// kill ends the whole group with SIGKILL. It may be called at any time.
func (p *process) kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.killed = true
	if p.group != nil {
		p.group.kill()
	}
}

// exitText says how the process ended; call it after exited.
func (p *process) exitText() string {
	if p.err == nil {
		return "exited with status 0"
	}
	var exit *exec.ExitError
	if errors.As(p.err, &exit) {
		if code := exit.ExitCode(); code >= 0 {
			return fmt.Sprintf("exited with status %d", code)
		}
		return "was ended by a " + strings.TrimPrefix(exit.String(), "signal: ") + " signal"
	}
	return p.err.Error()
}

// PID returns the process id, 0 when it was not started.
func (p *process) PID() int {
	if p.cmd.Process == nil {
		return 0
	}
	return p.cmd.Process.Pid
}

// Wait implements runner.AttachedRunner.
func (p *process) Wait(context.Context) error {
	<-p.exited
	return p.err
}

// Kill implements runner.AttachedRunner.
func (p *process) Kill(context.Context) error {
	p.kill()
	return nil
}

// ID implements runner.AttachedRunner.
func (p *process) ID() string { return strconv.Itoa(p.PID()) }

// Name implements runner.Runner.
func (p *process) Name() string { return p.cmd.Path }

// Diagnose implements runner.Runner.
func (p *process) Diagnose(context.Context) string { return "" }

// Stdout implements runner.Runner: the handshake line, then the end.
func (p *process) Stdout() io.ReadCloser { return p.handshake }

// Stderr implements runner.Runner: nothing, because the log lines are read here.
func (p *process) Stderr() io.ReadCloser { return io.NopCloser(strings.NewReader("")) }

// PluginToHost implements runner.AddrTranslator.
func (p *process) PluginToHost(network, addr string) (string, string, error) {
	return network, addr, nil
}

// HostToPlugin implements runner.AddrTranslator.
func (p *process) HostToPlugin(network, addr string) (string, string, error) {
	return network, addr, nil
}

// baseEnv are the variables that every program may need and that hold no secret.
var baseEnv = []string{
	"PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR",
	"SYSTEMROOT", "SYSTEMDRIVE", "TEMP", "TMP", "PATHEXT", "COMSPEC",
}

// environment returns the allowed part of the host's environment.
func environment(allowed []string) []string {
	var out []string
	seen := make(map[string]bool, len(baseEnv)+len(allowed))
	for _, names := range [][]string{baseEnv, allowed} {
		for _, name := range names {
			if v, ok := os.LookupEnv(name); ok && !seen[name] {
				seen[name] = true
				out = append(out, name+"="+v)
			}
		}
	}
	return out
}
