package demo

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// story is the demo while it is told.
type story struct {
	host  Host
	agent *agent
	shop  string
	opts  Options
	out   *printer

	calls int
	epoch uint64
}

// giftMessage is what the agent answers to the prompt.
const giftMessage = "For Ada, with tea"

// policyPlugin is the plugin that decides about dialogs.
const policyPlugin = "dialog"

// tell plays all steps.
func (s *story) tell(ctx context.Context) error {
	start := time.Now()
	s.out.title("cdphost demo", s.opts.Browser, "MCP at "+s.host.Endpoint())
	for _, step := range []struct {
		says string
		play func(context.Context) error
	}{
		{"An agent connects and asks for its tools.", s.list},
		{"It opens a shop whose checkout asks at once. The call names the dialog instead of hanging.", s.open},
		{"The page is blocked. The snapshot still shows the dialog, and frames of two other sites.", s.look},
		{"It reads inside the payment provider's frame, while the dialog waits.", s.read},
		{"It confirms the order.", s.confirm},
		{"The policy plugin is killed while a prompt is open. Nothing is lost.", s.kill},
		{"It answers the prompt, and the page goes on with the text.", s.answer},
		{"The policy is swapped in config.yaml. The browser does not notice.", s.swap},
		{"It checks out again, and reads what the new policy did.", s.again},
	} {
		s.out.step(step.says)
		if err := step.play(ctx); err != nil {
			return err
		}
		if err := pause(ctx, s.opts.Pause); err != nil {
			return err
		}
	}
	s.out.end("%d calls in %s over one CDP connection that never dropped.", s.calls, seconds(time.Since(start)))
	return nil
}

// ask calls a tool and prints the call; done prints the reply.
func (s *story) ask(ctx context.Context, tool string, given args, reply any) (done func(format string, v ...any), err error) {
	s.calls++
	s.out.ask(tool, given)
	took, err := s.agent.call(ctx, tool, given, reply)
	if err != nil {
		return nil, err
	}
	return func(format string, v ...any) { s.out.got(took, format, v...) }, nil
}

func (s *story) list(ctx context.Context) error {
	s.calls++
	s.out.ask("tools/list", nil)
	names, took, err := s.agent.tools(ctx)
	if err != nil {
		return err
	}
	s.out.got(took, "%d tools", len(names))
	s.out.more("%s", strings.Join(names, " "))
	return nil
}

func (s *story) open(ctx context.Context) error {
	var page navigated
	done, err := s.ask(ctx, "browser_navigate", args{{"url", s.shop + "?checkout=1"}}, &page)
	if err != nil {
		return err
	}
	if !page.Blocked || len(page.Pending) != 1 || page.Pending[0].Type != "confirm" {
		return unexpected("a pending confirm", page)
	}
	done("blocked by %s", show(page.Pending[0]))
	s.epoch = s.host.Epoch(s.agent.task)
	return nil
}

func (s *story) look(ctx context.Context) error {
	var seen snapshot
	done, err := s.ask(ctx, "browser_snapshot", nil, &seen)
	if err != nil {
		return err
	}
	if len(seen.Pending) != 1 {
		return unexpected("one pending dialog", seen)
	}
	done("pending: %s", show(seen.Pending[0]))
	for _, f := range seen.FrameTree.Children {
		s.out.more("frame %s  %s%s", short(f.ID), f.URL, map[bool]string{true: "  (own process)"}[f.OOPIF])
	}
	return nil
}

func (s *story) read(ctx context.Context) error {
	var seen snapshot
	if _, err := s.agent.call(ctx, "browser_snapshot", args{{"text", false}}, &seen); err != nil {
		return err
	}
	id := ""
	for _, f := range seen.FrameTree.Children {
		if strings.HasPrefix(f.URL, "http://pay.") {
			id = f.ID
		}
	}
	if id == "" {
		return unexpected("a frame of pay.localhost", seen)
	}
	const expression = `document.forms[0].innerText`
	var out evaluated
	done, err := s.ask(ctx, "browser_cdp", args{
		{"method", "Runtime.evaluate"}, {"frame_id", id}, {"params", map[string]any{"expression": expression}},
	}, &out)
	if err != nil {
		return err
	}
	_, due, found := strings.Cut(strings.Join(strings.Fields(out.Result.Result.Value), " "), "Amount due")
	if !found || !strings.Contains(due, "€") {
		return unexpected("the amount due", out)
	}
	done("the form says: Amount due%s", due)
	return nil
}

func (s *story) confirm(ctx context.Context) error {
	var out answered
	done, err := s.ask(ctx, "browser_dialog", args{{"action", "accept"}}, &out)
	if err != nil {
		return err
	}
	done("%s is closed, by the %s", out.Dialog.ID, out.Dialog.ClosedBy)
	return nil
}

func (s *story) answer(ctx context.Context) error {
	var out answered
	done, err := s.ask(ctx, "browser_dialog", args{{"action", "accept"}, {"prompt_text", giftMessage}}, &out)
	if err != nil {
		return err
	}
	done("%s is closed, by the %s, with “%s”", out.Dialog.ID, out.Dialog.ClosedBy, out.Dialog.UserInput)
	return s.result(ctx, giftMessage)
}

// result reads what the shop says about the order.
func (s *story) result(ctx context.Context, want string) error {
	var out evaluated
	done, err := s.ask(ctx, "browser_cdp", args{
		{"method", "Runtime.evaluate"}, {"params", map[string]any{"expression": `result.textContent`}},
	}, &out)
	if err != nil {
		return err
	}
	if !strings.Contains(out.Result.Result.Value, want) {
		return unexpected(fmt.Sprintf("a page that says %q", want), out)
	}
	done("the page says: %s", out.Result.Result.Value)
	return nil
}

func (s *story) again(ctx context.Context) error {
	var page navigated
	done, err := s.ask(ctx, "browser_navigate", args{{"url", s.shop + "?checkout=1"}}, &page)
	if err != nil {
		return err
	}
	if page.Blocked {
		return unexpected("a page that no dialog blocks", page)
	}
	done("HTTP %d, not blocked", page.Status)
	if err := s.result(ctx, "not placed"); err != nil {
		return err
	}
	var seen snapshot
	done, err = s.ask(ctx, "browser_snapshot", args{{"text", false}}, &seen)
	if err != nil {
		return err
	}
	if len(seen.Recent) == 0 {
		return unexpected("recent dialogs", seen)
	}
	last := seen.Recent[len(seen.Recent)-1]
	if last.ClosedBy != "auto_policy" {
		return unexpected("a dialog closed by auto_policy", seen)
	}
	done("%s %s was %sed by %s", last.Type, last.ID, last.Action, last.ClosedBy)
	if now := s.host.Epoch(s.agent.task); now != s.epoch {
		return fmt.Errorf("the CDP connection was replaced: epoch %d, then %d", s.epoch, now)
	}
	return nil
}

// unexpected is a reply that the story has no use for.
func unexpected(wanted string, got any) error {
	return fmt.Errorf("the demo expected %s and got %+v", wanted, got)
}
