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
	if t.Kind == KindPage {
		// Input must reach a page that is not in front, without bringing it there.
		cmds = append(cmds, command("", emulation.CommandSetFocusEmulationEnabled,
			&emulation.SetFocusEmulationEnabledParams{Enabled: true}))
	}
	return cmds
}
