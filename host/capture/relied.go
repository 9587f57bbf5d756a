package capture

import (
	"slices"
	"strings"

	"cdphost/host/cdp"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// hostName is how the host is named as the owner of something.
const hostName = "cdphost"

// hostDomain reports whether the host itself keeps a domain on: it is not a
// handle's to switch off. The Target domain has no such switch.
func hostDomain(domain string) bool {
	return slices.Contains([]string{"Page", "Runtime", "Inspector"}, domain)
}

// owner is who h is to others that use the same session. An agent's handles come
// and go with the connection: to others they are one.
func (h *Handle) owner() supervisor.Owner {
	o := supervisor.Owner{Name: h.holder.Name, ID: h, Priority: h.holder.Priority}
	if h.holder.KeepsWhatItMakes {
		o.ID = h.sup
	}
	return o
}

// relied refuses a command that would switch off what the host or another holder
// relies on, with the owner's name. A session that a holder attached for itself
// has state of its own.
func (h *Handle) relied(cmd *Command) error {
	if cmd.SessionID == "" || !h.sup.Watched(cmd.SessionID) {
		return nil
	}
	if err := h.sup.Blinds(cdp.Command{SessionID: cmd.SessionID, Method: cmd.Method, Params: cmd.Params}); err != nil {
		return err
	}
	p := fieldsOf(cmd.Params)
	switch cmd.Method {
	case "Emulation.setFocusEmulationEnabled":
		if string(p["enabled"]) != "true" {
			return h.taken(cmd, hostName)
		}
	case page.CommandRemoveScriptToEvaluateOnNewDocument:
		other, own := h.sup.UserOf(cmd.SessionID, "script "+p.text("identifier"), h.holder.Name)
		switch {
		case own:
		case other != "":
			return h.taken(cmd, other)
		default:
			return h.taken(cmd, hostName)
		}
	case runtime.CommandRemoveBinding:
		return h.sharedUse(cmd, "binding "+p.text("name"))
	case debuggerDisable:
		if user := h.sup.DebuggerUser(cmd.SessionID, h.owner()); user != "" {
			h.sup.DebuggerDisabled(cmd.SessionID, h.owner())
			return h.taken(cmd, user)
		}
	case fetchDisable: // shared
	default:
		if strings.HasPrefix(cmd.Method, "Fetch.") {
			return h.ownRequest(cmd, p)
		}
		if domain, ok := strings.CutSuffix(cmd.Method, ".disable"); ok {
			return h.sharedUse(cmd, domain)
		}
	}
	return nil
}

func (h *Handle) sharedUse(cmd *Command, what string) error {
	if other, _ := h.sup.UserOf(cmd.SessionID, what, h.holder.Name); other != "" {
		return h.taken(cmd, other)
	}
	return nil
}

func (h *Handle) taken(cmd *Command, owner string) error {
	return fault.New(fault.NotYours, "%s is refused: %s relies on what it would switch off", cmd.Method, owner).With("owner", owner)
}
