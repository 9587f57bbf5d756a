package cdptest

import "strconv"

// runtimeMethods are those of the Runtime and Debugger domains.
var runtimeMethods = map[string]method{
	"Runtime.enable":                  {run: enableRuntime, at: onPage, renderer: true},
	"Runtime.disable":                 {run: disable, at: onPage, renderer: true},
	"Runtime.evaluate":                {run: evaluate, at: onPage, renderer: true},
	"Runtime.runIfWaitingForDebugger": {run: release, at: onPage},
	"Debugger.enable":                 {run: enableDebugger, at: onPage, renderer: true},
	"Debugger.disable":                {run: disable, at: onPage, renderer: true},
}

func enableRuntime(ses *session, req *Request) Reply {
	if !ses.on("Runtime") {
		ses.enabled["Runtime"] = true
		for _, f := range ses.target.root.local() {
			ses.event("Runtime.executionContextCreated", f.contextCreated())
		}
	}
	return Result(nil)
}

func enableDebugger(ses *session, _ *Request) Reply {
	ses.enabled["Debugger"] = true
	return Result(M{"debuggerId": "1.1"})
}

func evaluate(ses *session, req *Request) Reply {
	var p struct {
		Expression      string `json:"expression"`
		ContextID       int    `json:"contextId"`
		UniqueContextID string `json:"uniqueContextId"`
		UserGesture     bool   `json:"userGesture"`
	}
	if err := req.decode(&p); err != nil {
		return Reply{Err: err}
	}
	f := ses.target.root
	if p.ContextID != 0 || p.UniqueContextID != "" {
		if f = ses.target.inContext(strconv.Itoa(p.ContextID), p.UniqueContextID); f == nil {
			if p.UniqueContextID != "" {
				return Refuse(-32602, "uniqueContextId not found")
			}
			return Refuse(-32000, "Cannot find context with specified id")
		}
	}
	if p.UserGesture {
		f.page().gesture = true
	}
	f.evaluate(p.Expression, req.Answer)
	return NoReply
}

// inContext returns the frame of an execution context.
func (t *target) inContext(id, uniqueID string) *Frame {
	for _, f := range t.root.local() {
		if uniqueID == f.uniqueID || uniqueID == "" && id == strconv.Itoa(f.contextID) {
			return f
		}
	}
	return nil
}

// release is Runtime.runIfWaitingForDebugger. It is answered by the renderer, too, when that is
// blocked by a dialog.
func release(ses *session, req *Request) Reply {
	if ses.target.hold == nil && ses.target.busy() {
		ses.target.queue = append(ses.target.queue, queued{ses, req})
		return NoReply
	}
	return runIfWaitingForDebugger(ses, req)
}
