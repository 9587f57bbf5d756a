package cdptest

import "slices"

// browserContext is a profile.
type browserContext struct {
	id    string
	owner *conn // not nil: disposed of with this socket
}

func createBrowserContext(ses *session, req *Request) Reply {
	ctx := &browserContext{id: ses.conn.s.newID('C')}
	if req.Get("disposeOnDetach") == "true" {
		ctx.owner = ses.conn
	}
	ses.conn.s.contexts = append(ses.conn.s.contexts, ctx)
	return Result(M{"browserContextId": ctx.id})
}

func getBrowserContexts(ses *session, _ *Request) Reply {
	ids := []string{}
	for _, ctx := range ses.conn.s.contexts[1:] {
		ids = append(ids, ctx.id)
	}
	return Result(M{"browserContextIds": ids, "defaultBrowserContextId": ses.conn.s.contexts[0].id})
}

func disposeBrowserContext(ses *session, req *Request) Reply {
	id := req.Get("browserContextId")
	ctx := ses.conn.s.context(id)
	if ctx == nil {
		return Refuse(-32000, "Failed to find context with id %s", id)
	}
	ses.conn.s.dispose(ctx)
	return Result(nil)
}

// context returns a browser context by id, nil when there is none.
func (s *Server) context(id string) *browserContext {
	for _, ctx := range s.contexts {
		if ctx.id == id {
			return ctx
		}
	}
	return nil
}

// dispose closes a context's pages and forgets it.
func (s *Server) dispose(ctx *browserContext) {
	for _, t := range slices.Clone(s.targets) {
		if t.context == ctx {
			t.destroy()
		}
	}
	s.contexts = slices.DeleteFunc(s.contexts, func(other *browserContext) bool { return other == ctx })
}
