package supervisor

import (
	"encoding/json"
	"strings"

	"cdphost/host/cdp"
	"cdphost/host/link"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// loadedLocked applies the load events of a page's own session, and reads the
// new document's title.
func (s *Supervisor) loadedLocked(fx *effects, t link.Target, method string) {
	p := s.pageLocked(t.PageID)
	if p == nil || t.Kind != link.KindPage {
		return
	}
	if method == page.LoadEventFired.Method {
		p.LoadedLoader = p.LoaderID
	}
	p.DOMLoader = p.LoaderID
	s.touch(p)
	s.readDocument(fx, t, p.LoaderID)
}

// missedLocked asks a page how far its document is when the document was there
// before its events could be heard: on a page that was attached late, after a
// reconnect, or where a navigation overtook the set-up.
func (s *Supervisor) missedLocked(fx *effects, t link.Target, p *pageState) {
	if p.LoadedLoader != p.LoaderID && !isBlank(p.URL) {
		s.readDocument(fx, t, p.LoaderID)
	}
}

// readDocument reads a document's state and title.
func (s *Supervisor) readDocument(fx *effects, t link.Target, loader string) {
	byValue := true
	fx.post(t.SessionID, runtime.CommandEvaluate, &runtime.EvaluateParams{Expression: `document.readyState+" "+document.title`, ReturnByValue: &byValue},
		func(result json.RawMessage, err error) {
			var r runtime.EvaluateResult
			if err != nil || cdp.Unmarshal(result, &r) != nil || r.Result == nil || r.Result.Type != runtime.RemoteObjectTypeString {
				return
			}
			var text string
			if cdp.Unmarshal(r.Result.Value, &text) == nil {
				state, title, _ := strings.Cut(text, " ")
				s.documentRead(t.PageID, loader, state, title)
			}
		})
}

// documentRead takes over what a document said, if it is still the page's.
func (s *Supervisor) documentRead(targetID, loader, state, title string) {
	s.update(func(*effects) {
		p := s.pageLocked(targetID)
		if p == nil || p.LoaderID != loader {
			return
		}
		p.Title = title
		if state == "complete" {
			p.LoadedLoader = loader
		}
		if state == "complete" || state == "interactive" {
			p.DOMLoader = loader
		}
		s.touch(p)
	})
}
