//go:build unix

package plugin_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"cdphost/sdk"
	"cdphost/sdk/fault"
)

// config is the configuration of the plugins under test.
type config struct {
	// Verdict is what the policy decides.
	Verdict string `json:"verdict"`
	// Policies overrides the policies offered.
	Hang  string `json:"hang"`
	Limit int    `json:"limit"`
}

// Validate implements the SDK's check.
func (c *config) Validate() error {
	if c.Hang == "validate" {
		select {}
	}
	return errors.Join(
		sdk.OneOf("verdict", c.Verdict, "hold", "accept", "dismiss", "ask"),
		func() error {
			if c.Limit < 0 {
				return &sdk.ConfigError{Path: "limit", Message: "must not be negative"}
			}
			return nil
		}(),
	)
}

// serveUnderTest is one plugin, good or hostile.
func serveUnderTest(mode string) {
	switch mode {
	case "exit":
		fmt.Fprintln(os.Stderr, "no licence found")
		os.Exit(3)
	case "garbage":
		fmt.Println("Hello, I am not a plugin\x1b[31m")
		fmt.Println(strings.Repeat("x", 1<<20))
		select {}
	case "silent":
		select {}
	case "version":
		fmt.Println("1|99|unix|/tmp/nowhere|grpc|")
		select {}
	case "half":
		fmt.Println("1|1|unix|/nonexistent/socket|grpc|")
		select {}
	case "hang-describe":
		// A listener that never answers.
		fmt.Println(deafListener())
		select {}
	}
	sdk.Serve(underTest(mode))
}

func underTest(mode string) *sdk.Plugin {
	info := sdk.Info{
		Name: "under-test", Version: "0.0.1",
		Hooks:    []sdk.Hook{sdk.HookDialogPolicy, sdk.HookFrameRouter, sdk.HookCommandGuard, sdk.HookToolProvider, sdk.HookEventSubscriber},
		Policies: []string{"test"},
	}
	switch mode {
	case "second":
		info.Hooks, info.Policies = []sdk.Hook{sdk.HookDialogPolicy}, []string{"second"}
	case "guard":
		info.Hooks, info.Policies = []sdk.Hook{sdk.HookCommandGuard}, nil
	case "events":
		info.Hooks, info.Policies = []sdk.Hook{sdk.HookEventSubscriber}, nil
	}
	return sdk.New(info, config{Verdict: "hold"}, func(ctx context.Context, env sdk.Env[config]) (sdk.Hooks, error) {
		switch mode {
		case "hang-configure":
			select {}
		case "panic-configure":
			panic("configure")
		case "die-configure":
			os.Exit(4)
		}
		p := &tested{mode: mode, env: env}
		return sdk.Hooks{
			DialogPolicy: p, FrameRouter: sdk.FrameRouterFunc(p.route), CommandGuard: guard{p}, ToolProvider: p, EventSubscriber: p,
			Health: p.health,
		}, nil
	})
}

type tested struct {
	mode string
	env  sdk.Env[config]
}

func (p *tested) health(context.Context) error {
	if p.mode == "unwell" && p.env.Generation == 1 {
		return errors.New("disk full")
	}
	return nil
}

// Decide misbehaves as the dialog's message asks.
func (p *tested) Decide(ctx context.Context, req sdk.DialogRequest) (sdk.Verdict, error) {
	text := fmt.Sprintf("%d %d", os.Getpid(), p.env.Generation)
	switch req.Dialog.Message {
	case "hang":
		<-ctx.Done()
		return sdk.Verdict{}, ctx.Err()
	case "hang in generation 1":
		if p.env.Generation == 1 {
			select {}
		}
	case "panic":
		panic("decide")
	case "crash in generation 1":
		if p.env.Generation == 1 {
			go func() { panic("crash") }()
			select {}
		}
	case "crash":
		os.Exit(5)
	case "slow":
		time.Sleep(300 * time.Millisecond)
	case "stop in generation 1":
		if p.env.Generation == 1 {
			_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
			select {} // the signal may arrive a moment later
		}
	case "big":
		text = strings.Repeat("x", 100<<20)
	case "stderr":
		line := strings.Repeat("x", 1<<20)
		for range 64 {
			_, _ = os.Stderr.WriteString(line)
			_, _ = syscall.Write(2, []byte(line))
		}
		_, _ = syscall.Write(2, []byte("\n{\"@message\":1}\n{\"@message\":\"m\",\"@level\":7}\n[]\n{\"@message\":\"hello\",\"@level\":\"info\",\"n\":{\"a\":[1]}}\n"))
	case "stdout":
		_, _ = syscall.Write(1, []byte(strings.Repeat("y", 1<<20)))
	case "child":
		cmd := exec.Command("sleep", "1000")
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		if err := cmd.Start(); err != nil {
			return sdk.Verdict{}, err
		}
		text = fmt.Sprint(cmd.Process.Pid)
	case "stray":
		pid, err := startStray()
		if err != nil {
			return sdk.Verdict{}, err
		}
		text = fmt.Sprint(pid)
	case "env":
		text = strings.Join(os.Environ(), "\n")
	case "fault":
		return sdk.Verdict{}, fault.New(fault.DomainBlocked, "not here").With("domain", "x.test")
	}
	return sdk.Verdict{Do: sdk.Action(p.env.Config.Verdict), Text: &text, Timeout: 3 * time.Second, Then: sdk.Accept, Reason: req.Policy}, nil
}

// startStray starts a process as a daemon starts itself: in a session of its own,
// orphaned, holding none of our files.
func startStray() (pid int, err error) {
	shell := exec.Command("sh", "-c", "sleep 1000 </dev/null >/dev/null 2>&1 & echo $!")
	shell.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	out, err := shell.Output()
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(out)))
}

func (p *tested) route(_ context.Context, req sdk.RouteRequest) (sdk.Route, error) {
	if req.Frame.ID == "unknown" {
		return sdk.Route{}, fault.New(fault.FrameNotFound, "no frame")
	}
	if req.Frame.ID == "hang" {
		select {}
	}
	return sdk.Route{SessionID: req.OwnSession, UniqueContextID: req.UniqueContextID}, nil
}

type guard struct{ p *tested }

func (guard) Filter() sdk.Filter {
	return sdk.Filter{Methods: []string{"Input.*", "Page.navigate"}, Compare: []string{sdk.FactOrigin}}
}

func (g guard) Validate(ctx context.Context, req sdk.GuardRequest) (sdk.GuardVerdict, error) {
	switch req.Facts.Origin {
	case "https://evil.test":
		return sdk.Deny("origin " + req.Facts.Origin), nil
	case "https://rewrite.test":
		return sdk.Rewrite(json.RawMessage(`{"x":1}`)), nil
	case "https://array.test":
		return sdk.Rewrite(json.RawMessage(`[1]`)), nil
	case "https://hang.test":
		<-ctx.Done()
	case "https://calls.test":
		h, err := g.p.env.Host.Capture(ctx, req.Task)
		if err != nil {
			return sdk.GuardVerdict{}, err
		}
		defer func() { _ = h.Release(ctx) }()
		_, err = h.Call(ctx, "Runtime.evaluate", nil)
		return sdk.GuardVerdict{}, err
	}
	return sdk.Allow(), nil
}

// deafListener returns the handshake of a plugin that accepts connections and
// says nothing.
func deafListener() string {
	dir := os.Getenv("PLUGIN_UNIX_SOCKET_DIR")
	l, err := net.Listen("unix", dir+"/s")
	if err != nil {
		panic(err)
	}
	go func() {
		for {
			if _, err := l.Accept(); err != nil {
				return
			}
		}
	}()
	return "1|1|unix|" + dir + "/s|grpc|"
}
