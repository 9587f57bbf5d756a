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

// ownRequest refuses a command about a request that waits for somebody else.
func (h *Handle) ownRequest(cmd *Command, p fields) error {
	id := p.text("requestId")
	if id == "" {
		return nil
	}
	if turn := h.sup.RequestTurn(cmd.SessionID, id, h.holder.Name); turn != "" {
		return fault.New(fault.NotYours, "%s is refused: the request %s waits for %s", cmd.Method, id, turn).With("owner", turn)
	}
	return nil
}

// completeAnswer adds to a holder's answer what those before it have changed of the
// request, so that validators see all of it.
func (h *Handle) completeAnswer(cmd *Command) {
	if slices.Contains(answers, cmd.Method) {
		raw := rawMessage(cmd)
		h.sup.CompleteAnswer(&raw)
		cmd.Method, cmd.Params = raw.Method, raw.Params
	}
}

// answerRequest puts a holder's answer to a paused request in its place among those
// of others. taken is to be called once the browser has taken it; it is nil when
// there is nothing to send, because others are asked first.
func (h *Handle) answerRequest(cmd *Command, v *verdict) (taken func(), err error) {
	if !slices.Contains(answers, cmd.Method) {
		return func() {}, nil
	}
	if err := h.stands(cmd.SessionID, v); err != nil {
		return nil, err
	}
	return h.sup.AnswerRequest(h.holder.Name, rawMessage(cmd))
}
