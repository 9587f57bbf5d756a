package link

import (
	"cdphost/host/cdp"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
)

func command(session, method string, params any) cdp.Command {
	c := cdp.Command{SessionID: session, Method: method}
	if params != nil {
		c.Params = cdp.Marshal(params)
	}
	return c
}

func autoAttach(session string, filter target.Filter) cdp.Command {
	flatten := true
	return command(session, target.CommandSetAutoAttach, &target.SetAutoAttachParams{
		AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: &flatten, Filter: filter,
	})
}

// only is a target filter that lets one type through: Chrome takes the first
// entry that matches.
func only(kind Kind) target.Filter {
	return target.Filter{{Type: string(kind)}, {Exclude: true}}
}

func release(session string) cdp.Command {
	return command(session, runtime.CommandRunIfWaitingForDebugger, nil)
}

// setup is the link's own part of the burst on a new session, without the
// release.
func setup(t Target) []cdp.Command {
	cmds := []cdp.Command{
		command("", page.CommandEnable, nil),
		command("", page.CommandGetFrameTree, nil),
		command("", runtime.CommandEnable, nil),
		autoAttach("", only(KindIframe)),
	}
	if t.Kind == KindPage && t.Paused {
		cmds = append(cmds, emulateFocus())
	}
	return cmds
}

// setupLate is what follows once the burst was answered. A page that ran before it
// was attached may be held by a dialog that nobody saw, and when it is reloaded to
// free it while focus emulation is on its way, its renderer crashes (Chromium 156).
func setupLate(t Target) []cdp.Command {
	if t.Kind == KindPage && !t.Paused {
		cmd := emulateFocus()
		cmd.SessionID = t.SessionID
		return []cdp.Command{cmd}
	}
	return nil
}

// emulateFocus lets input reach a page that is not in front, without bringing it
// there.
func emulateFocus() cdp.Command {
	return command("", emulation.CommandSetFocusEmulationEnabled, &emulation.SetFocusEmulationEnabledParams{Enabled: true})
}
