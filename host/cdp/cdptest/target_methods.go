package cdptest

import "slices"

// targetMethods are those of the Target domain.
var targetMethods = map[string]method{
	"Target.setAutoAttach":         {run: setAutoAttach},
	"Target.setDiscoverTargets":    {run: setDiscoverTargets, at: onBrowser},
	"Target.getTargets":            {run: getTargets},
	"Target.getTargetInfo":         {run: getTargetInfo},
	"Target.attachToTarget":        {run: attachToTarget},
	"Target.detachFromTarget":      {run: detachFromTarget},
	"Target.createTarget":          {run: createTarget, at: onBrowser},
	"Target.closeTarget":           {run: closeTarget},
	"Target.activateTarget":        {run: activateTarget},
	"Target.createBrowserContext":  {run: createBrowserContext, at: onBrowser},
	"Target.getBrowserContexts":    {run: getBrowserContexts, at: onBrowser},
	"Target.disposeBrowserContext": {run: disposeBrowserContext, at: onBrowser},
}

var (
	noTarget  = Refuse(-32602, "No target with given id found")
	noSession = Refuse(-32602, "No session with given id")
)

func setAutoAttach(ses *session, req *Request) Reply {
	var p struct {
		AutoAttach             bool `json:"autoAttach"`
		WaitForDebuggerOnStart bool `json:"waitForDebuggerOnStart"`
	}
	if err := req.decode(&p); err != nil {
		return Reply{Err: err}
	}
	if !p.AutoAttach {
		ses.attach = nil
		for _, child := range sortedSessions(ses.conn) {
			if child.parent == ses && child.auto {
				child.detach()
			}
		}
		return Result(nil)
	}
	ses.attach = &autoAttach{wait: p.WaitForDebuggerOnStart, filter: filterOf(req.Params)}
	for _, t := range ses.conn.s.targets {
		if ses.sees(t) && ses.attach.filter.takes(t.kind) && !ses.attached(t) {
			t.attach(ses, true, false)
		}
	}
	return Result(nil)
}

// sees tells whether auto-attach on a session reaches a target: pages for the browser's, the frames
// directly below for a target's.
func (ses *session) sees(t *target) bool {
	if ses.target == nil {
		return t.kind != kindIframe
	}
	return t.kind == kindIframe && t.root.parent.target == ses.target
}

// attached tells whether auto-attach on a session has attached a target.
func (ses *session) attached(t *target) bool {
	return slices.ContainsFunc(t.sessions, func(other *session) bool { return other.auto && other.parent == ses })
}

func setDiscoverTargets(ses *session, req *Request) Reply {
	var p struct {
		Discover bool `json:"discover"`
	}
	if err := req.decode(&p); err != nil {
		return Reply{Err: err}
	}
	ses.discover = nil
	if !p.Discover {
		return Result(nil)
	}
	ses.discover, ses.attachFirst = filterOf(req.Params), ses.attach != nil
	for _, t := range ses.conn.s.targets {
		if ses.discover.takes(t.kind) {
			ses.event("Target.targetCreated", M{"targetInfo": t.info()})
		}
	}
	return Result(nil)
}

func getTargets(ses *session, req *Request) Reply {
	infos := []M{}
	filter := filterOf(req.Params)
	for _, t := range ses.conn.s.targets {
		if filter.takes(t.kind) {
			infos = append(infos, t.info())
		}
	}
	return Result(M{"targetInfos": infos})
}

func getTargetInfo(ses *session, req *Request) Reply {
	t := ses.target
	if id := req.Get("targetId"); id != "" {
		t = ses.conn.s.find(id)
	}
	if t == nil {
		return noTarget
	}
	return Result(M{"targetInfo": t.info()})
}

func attachToTarget(ses *session, req *Request) Reply {
	t := ses.conn.s.find(req.Get("targetId"))
	if t == nil {
		return noTarget
	}
	return Result(M{"sessionId": t.attach(ses, false, false).id})
}

func detachFromTarget(ses *session, req *Request) Reply {
	child, ok := ses.conn.sessions[req.Get("sessionId")]
	if !ok || child.parent != ses {
		return noSession
	}
	child.detach()
	return Result(nil)
}

func createTarget(ses *session, req *Request) Reply {
	s := ses.conn.s
	ctx := s.contexts[0]
	if id := req.Get("browserContextId"); id != "" {
		if ctx = s.context(id); ctx == nil {
			return Refuse(-32000, "Failed to find browser context with id %s", id)
		}
	}
	s.openPage(ctx, req.Get("url"), func(t *target) { req.Answer(Result(M{"targetId": t.id})) })
	return NoReply
}

func closeTarget(ses *session, req *Request) Reply {
	t := ses.conn.s.find(req.Get("targetId"))
	if t == nil {
		return noTarget
	}
	// The answer comes first, but for a page with a dialog.
	if len(t.dialogs) == 0 {
		req.Answer(Result(M{"success": true}))
		t.destroy()
		return NoReply
	}
	t.destroy()
	return Result(M{"success": true})
}

func activateTarget(ses *session, req *Request) Reply {
	if ses.conn.s.find(req.Get("targetId")) == nil {
		return noTarget
	}
	return Result(nil)
}

// openPage makes a page without opener; made is called when clients know of it and before it runs.
func (s *Server) openPage(ctx *browserContext, url string, made func(*target)) *target {
	t := s.newPage(ctx, url, nil)
	h := &hold{start: func() {
		if url != "" && url != "about:blank" {
			(&navigation{frame: t.root, url: url, kind: "differentDocument"}).begin()
		}
	}}
	t.announce(h)
	if made != nil {
		made(t)
	}
	if t.hold == nil {
		h.start()
	}
	return t
}
