package capture

import (
	"errors"
	"strings"

	"cdphost/host/cdp"

	"github.com/chromedp/cdproto/runtime"
)

// tie ties a command that runs script to the document that its validators are
// shown, where the caller has not said where it runs: what Chrome has done and not
// yet told, only Chrome knows, and it refuses a context that is gone.
func (h *Handle) tie(cmd *Command, facts *Facts) (tied bool) {
	switch cmd.Method {
	case runtime.CommandEvaluate, runtime.CommandCallFunctionOn:
	default:
		return false
	}
	p := fieldsOf(cmd.Params)
	for _, name := range []string{"contextId", "executionContextId", "uniqueContextId", "objectId"} {
		if p[name] != nil {
			return false
		}
	}
	_, f, ok := h.sup.Snapshot().Frame(facts.FrameID)
	if !ok || f.DefaultContext == "" || f.LoaderID != facts.LoaderID {
		return false
	}
	cmd.Params = p.set("uniqueContextId", f.DefaultContext)
	return true
}

// untied reports whether Chrome refused a command because the document that it
// was tied to is gone.
func untied(err error) bool {
	var refused *cdp.Error
	return errors.As(err, &refused) && (strings.Contains(refused.Message, "uniqueContextId not found") ||
		strings.Contains(refused.Message, "Cannot find context with specified id"))
}
