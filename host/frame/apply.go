package frame

import (
	"errors"
	"fmt"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/page"
)

// errNoFrame is an event about a frame that does not say which.
var errNoFrame = errors.New("no frame id")

// lenient accepts what pages can put into strings, such as lone surrogates.
var lenient = jsonv2.AllowInvalidUTF8(true)

func decode(params []byte, v any) error { return jsonv2.Unmarshal(params, v, lenient) }

// Apply applies an event of one of the page's sessions; methods that say nothing
// about frames change nothing. Frames that are not known yet are kept. An error
// means that params could not be read; the table is unchanged then.
func (t *Table) Apply(sessionID, method string, params []byte) (Change, error) {
	c, err := t.apply(sessionID, method, params)
	if err != nil {
		return Change{}, fmt.Errorf("frame: %s: %w", method, err)
	}
	if c.Frame != "" && c.Kind != None {
		c.Top = c.Frame == t.top().ID
	}
	return c, nil
}

func (t *Table) apply(sessionID, method string, params []byte) (Change, error) {
	switch method {
	case "Page.frameAttached":
		return t.frameAttached(sessionID, params)
	case "Page.frameNavigated":
		return t.frameNavigated(sessionID, params)
	case "Page.documentOpened":
		return t.documentOpened(sessionID, params)
	case "Page.navigatedWithinDocument":
		return t.navigatedWithinDocument(sessionID, params)
	case "Page.frameStartedNavigating":
		var ev page.EventFrameStartedNavigating
		if err := decode(params, &ev); err != nil {
			return Change{}, err
		}
		return Change{Kind: Started, Frame: string(ev.FrameID), LoaderID: string(ev.LoaderID), URL: ev.URL}, nil
	case "Page.frameDetached":
		return t.frameDetached(sessionID, params)
	case "Runtime.executionContextCreated":
		return t.contextCreated(sessionID, params)
	case "Runtime.executionContextDestroyed":
		return t.contextDestroyed(sessionID, params)
	case "Runtime.executionContextsCleared":
		return t.contextsCleared(sessionID), nil
	case "Inspector.targetCrashed":
		return t.targetCrashed(sessionID), nil
	case "Inspector.targetReloadedAfterCrash":
		return t.targetReloaded(sessionID), nil
	}
	return Change{}, nil
}
