package capture

import (
	"slices"

	"cdphost/host/cdp"
	"cdphost/sdk/fault"
)

const (
	fetchEnable  = "Fetch.enable"
	fetchDisable = "Fetch.disable"
)

func fetchOn(session string) string { return "fetch " + session }

// CDP knows one set of patterns for each session. The holders' sets are kept
// apart by the supervisor, and what goes to the browser is all of them.

// wantFetch notes what a Fetch.enable or Fetch.disable of this holder asks for.
// merged says that the browser is to be told by the supervisor's word instead.
func (h *Handle) wantFetch(cmd *Command) (merged bool, err error) {
	switch cmd.Method {
	case fetchEnable:
		return h.sup.FetchEnabled(cmd.SessionID, h.owner(), cmd.Params)
	case fetchDisable:
		return h.sup.FetchDisabled(cmd.SessionID, h.owner()), nil
	}
	return false, nil
}

// mergeFetch puts into c what the browser is to intercept at the moment of the
// write.
func (h *Handle) mergeFetch(c *cdp.Command) {
	if all, ok := h.sup.FetchCommand(c.SessionID); ok {
		c.Method, c.Params = all.Method, all.Params
	}
}

// stopFetch ends this holder's part in the interception of a session.
func (h *Handle) stopFetch(session string) {
	h.sup.FetchDisabled(session, h.owner())
	undo := command(session, fetchDisable, nil)
	h.mergeFetch(&undo)
	h.posting(undo)()
}

// answers are the commands by which a paused request goes on.
var answers = []string{
	"Fetch.continueRequest", "Fetch.fulfillRequest", "Fetch.failRequest", "Fetch.continueResponse", "Fetch.continueWithAuth",
}

// ownRequest refuses a command about a request that was paused for others.
func (h *Handle) ownRequest(cmd *Command, p fields) error {
	id := p.text("requestId")
	if id == "" {
		return nil
	}
	if user := h.sup.RequestUser(cmd.SessionID, id, h.holder.Name); user != "" {
		return fault.New(fault.NotYours, "%s is refused: the request %s was paused for %s", cmd.Method, id, user).With("owner", user)
	}
	return nil
}

// answered notes that a paused request went on.
func (h *Handle) answered(cmd *Command) {
	if slices.Contains(answers, cmd.Method) {
		h.sup.RequestAnswered(cmd.SessionID, cdpText(cmd.Params, "requestId"))
	}
}
