package demo

import (
	"context"
	"fmt"
	"os"
	"time"
)

// kill ends the policy plugin's process the hard way, while a prompt waits.
func (s *story) kill(ctx context.Context) error {
	prompt, err := s.pendingPrompt(ctx)
	if err != nil {
		return err
	}
	pid := s.host.PluginPID(policyPlugin)
	process, err := os.FindProcess(pid)
	if err != nil || pid == 0 {
		return fmt.Errorf("the plugin %q has no process", policyPlugin)
	}
	s.out.do("kill -9 %d  (plugin %s)", pid, policyPlugin)
	start := time.Now()
	if err := process.Kill(); err != nil {
		return fmt.Errorf("killing process %d: %w", pid, err)
	}
	var seen snapshot
	done, err := s.ask(ctx, "browser_snapshot", args{{"text", false}}, &seen)
	if err != nil {
		return err
	}
	if len(seen.Pending) != 1 || seen.Pending[0].ID != prompt.ID {
		return unexpected("the prompt "+prompt.ID+" to be pending still", seen)
	}
	done("still pending: %s", show(seen.Pending[0]))
	next := 0
	err = until(ctx, "a new process of the plugin", func() bool {
		next = s.host.PluginPID(policyPlugin)
		return next != 0 && next != pid
	})
	if err != nil {
		return err
	}
	s.out.got(time.Since(start), "plugin %s runs again as process %d", policyPlugin, next)
	return nil
}

// pendingPrompt waits for the prompt that follows the confirmed order.
func (s *story) pendingPrompt(ctx context.Context) (shownDialog, error) {
	var prompt shownDialog
	var failed error
	err := until(ctx, "the prompt", func() bool {
		var seen snapshot
		if _, failed = s.agent.call(ctx, "browser_snapshot", args{{"text", false}}, &seen); failed != nil {
			return true
		}
		if len(seen.Pending) == 1 && seen.Pending[0].Type == "prompt" {
			prompt = seen.Pending[0]
			return true
		}
		return false
	})
	if failed != nil {
		return shownDialog{}, failed
	}
	return prompt, err
}

// swap changes the policy in the file that the host watches.
func (s *story) swap(ctx context.Context) error {
	s.out.do("config.yaml: dialog_policy: %s → %s", s.host.Policy(), secondPolicy)
	start := time.Now()
	if err := swapPolicy(s.opts.Config); err != nil {
		return fmt.Errorf("changing the configuration: %w", err)
	}
	if err := until(ctx, "the policy "+secondPolicy, func() bool { return s.host.Policy() == secondPolicy }); err != nil {
		return err
	}
	s.out.got(time.Since(start), "the host has taken %s over; the connection is the same", secondPolicy)
	return nil
}

// until asks every few milliseconds whether something has come true.
func until(ctx context.Context, what string, done func() bool) error {
	ctx, cancel := context.WithTimeout(ctx, stepTime)
	defer cancel()
	ticker := time.NewTicker(5 * time.Millisecond)
	defer ticker.Stop()
	for !done() {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return fmt.Errorf("the demo waited for %s in vain: %w", what, ctx.Err())
		}
	}
	return nil
}

// pause waits, for people who watch.
func pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
