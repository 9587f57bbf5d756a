package endpoint

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"

	"cdphost/sdk/fault"
)

const (
	// startLimit bounds a start whose context has no deadline: Chromium listens
	// within 2 s on a slow machine, within 10 s on a cold disk.
	startLimit = 15 * time.Second
	// portPoll is the pause between two looks at DevToolsActivePort, for builds
	// that write nothing to stderr.
	portPoll = 50 * time.Millisecond
)

// LaunchOptions say which browser to launch and how.
type LaunchOptions struct {
	Executable string       // see FindBrowser
	Headless   bool         // no window
	Args       []string     // further flags; they win over the host's own
	Profile    string       // folder to use and keep; empty: a temporary one, removed with the browser
	BaseDir    string       // where temporary profiles live; empty: a private folder of this user
	Logger     hclog.Logger // nil: silent
}

// Launch starts a browser of its own in a process group of its own and returns
// once its debugging port listens, on this machine's loopback only and on a port
// that the system chose. ctx bounds the start, not the life of the browser; on
// any error nothing is left running and no temporary profile is left behind.
//
// Errors are fault.BrowserMissing, fault.InvalidArgument (a flag in Args that is
// the host's to set), fault.BrowserGone when the browser ended instead, with its
// last words, fault.Timeout, and fault.Aborted when ctx was cancelled.
func Launch(ctx context.Context, o LaunchOptions) (*Process, error) {
	if o.Logger == nil {
		o.Logger = hclog.NewNullLogger()
	}
	executable, err := FindBrowser(o.Executable)
	if err != nil {
		return nil, err
	}
	if err := checkArgs(o.Args); err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, startEnded(ctx, executable, "")
	}
	p, err := newProcess(o)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(executable, flags(o, p.profile)...)
	if err := p.start(cmd); err != nil {
		return nil, fault.Wrap(err, fault.BrowserMissing, "%s can't be started: set browser.executable to a browser that this user may run.", executable)
	}
	if _, has := ctx.Deadline(); !has {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, startLimit)
		defer cancel()
	}
	if err := p.awaitPort(ctx, executable); err != nil {
		p.closing.Store(true)
		p.group.kill()
		<-p.finished
		return nil, err
	}
	o.Logger.Debug("browser started", "executable", executable, "pid", p.PID(), "headless", o.Headless)
	return p, nil
}

// newProcess makes the profile folder and the process group.
func newProcess(o LaunchOptions) (*Process, error) {
	p := &Process{
		log:      o.Logger,
		tail:     newTail(o.Logger),
		profile:  o.Profile,
		done:     make(chan struct{}),
		finished: make(chan struct{}),
	}
	if o.Profile == "" {
		dir, err := newWorkDir(o.BaseDir)
		if err != nil {
			return nil, fault.Wrap(err, fault.InternalError, "No private folder for the browser's temporary profile can be made: check the permissions of the temporary folder.")
		}
		p.dir, p.profile = dir, dir.profile()
	} else if err := prepareProfile(&p.profile); err != nil {
		return nil, fault.Wrap(err, fault.InvalidArgument, "The profile folder %q can't be used: it must be writable.", o.Profile)
	}
	group, err := newGroup()
	if err != nil {
		p.dir.discard()
		return nil, fault.Wrap(err, fault.InternalError, "No process group for the browser can be made.")
	}
	p.group = group
	return p, nil
}

// prepareProfile makes a profile that is kept and takes an old port file out,
// which would name a port that is not this browser's.
func prepareProfile(profile *string) error {
	absolute, err := filepath.Abs(*profile)
	if err != nil {
		return err
	}
	*profile = absolute
	if err := os.MkdirAll(absolute, 0o700); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(absolute, activePortFile)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// awaitPort waits until the browser says where it listens, on stderr or in its
// profile.
func (p *Process) awaitPort(ctx context.Context, executable string) error {
	ticker := time.NewTicker(portPoll)
	defer ticker.Stop()
	for {
		select {
		case p.url = <-p.tail.listening:
			return nil
		case <-ticker.C:
			if a, err := readActivePort(p.profile); err == nil {
				p.url = a.url("127.0.0.1")
				return nil
			}
		case <-p.done:
			return fault.Wrap(p.exit, fault.BrowserGone, "%s ended before it could be reached (%s).%s", executable, p.status(), p.tail.quote()).
				With("stderr", p.tail.lines())
		case <-ctx.Done():
			return startEnded(ctx, executable, p.tail.quote())
		}
	}
}

func startEnded(ctx context.Context, executable, words string) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return fault.Wrap(ctx.Err(), fault.Aborted, "The start of %s was cancelled.", executable)
	}
	return fault.Wrap(ctx.Err(), fault.Timeout, "%s opened no debugging port in time.%s", executable, words)
}

// sandboxOnce lets the loss of the sandbox be told once in a process, not with
// each browser.
var sandboxOnce sync.Once
