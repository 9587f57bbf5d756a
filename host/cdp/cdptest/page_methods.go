package cdptest

import (
	"slices"
	"strconv"
	"strings"
)

// onePixel is a PNG.
const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

// pageMethods are those of the Page domain.
var pageMethods = map[string]method{
	"Page.enable":                    {run: enable, at: onPage, renderer: true},
	"Page.disable":                   {run: disablePage, at: onPage},
	"Page.getFrameTree":              {run: getFrameTree, at: onPage, renderer: true},
	"Page.navigate":                  {run: navigate, at: onPage},
	"Page.reload":                    {run: reload, at: onTop},
	"Page.close":                     {run: closePage, at: onTop},
	"Page.crash":                     {run: crash, at: onPage, renderer: true},
	"Page.handleJavaScriptDialog":    {run: handleJavaScriptDialog, at: onTop},
	"Page.getNavigationHistory":      {run: getNavigationHistory, at: onTop},
	"Page.setLifecycleEventsEnabled": {run: setLifecycleEventsEnabled, at: onPage, renderer: true},
	"Page.captureScreenshot":         {run: captureScreenshot, at: onPage, renderer: true},
	"Page.removeScriptToEvaluateOnNewDocument": {
		run: removeScript, at: onPage, renderer: true,
	},
	"Page.addScriptToEvaluateOnNewDocument": {run: addScript, at: onPage, renderer: true},
}

// disablePage takes from the session what dialogs it could handle, at once; the renderer answers.
func disablePage(ses *session, req *Request) Reply {
	for _, d := range ses.target.dialogs {
		delete(d.handlers, ses)
	}
	delete(ses.enabled, "Page")
	if ses.target.busy() {
		ses.target.queue = append(ses.target.queue, queued{ses, req})
		return NoReply
	}
	return Result(nil)
}

func getFrameTree(ses *session, _ *Request) Reply {
	return Result(M{"frameTree": ses.target.root.tree()})
}

func navigate(ses *session, req *Request) Reply {
	f := ses.target.root
	if id := req.Get("frameId"); id != "" {
		if f = ses.target.frame(id); f == nil {
			return Refuse(-32000, "No frame with given id found")
		}
	}
	url := req.Get("url")
	if !strings.Contains(url, ":") || strings.HasPrefix(url, ":") {
		return Refuse(-32000, "Cannot navigate to invalid URL")
	}
	n := &navigation{frame: f, url: url, kind: "differentDocument"}
	n.done = func(errorText string) {
		result := M{"frameId": f.id, "isDownload": false}
		if n.loader != "" && errorText != "net::ERR_ABORTED" {
			result["loaderId"] = n.loader
		}
		if errorText != "" {
			result["errorText"] = errorText
		}
		req.Answer(Result(result))
	}
	if f.parent != nil {
		n.done("")
		f.navigate(url)
		return NoReply
	}
	n.begin()
	return NoReply
}

func reload(ses *session, req *Request) Reply {
	t := ses.target
	if t.crashed {
		t.revive()
	}
	n := &navigation{frame: t.root, url: t.url, kind: "reload"}
	answered := false
	answer := func(string) {
		if !answered {
			answered = true
			req.Answer(Result(nil))
		}
	}
	n.done = answer
	n.begin()
	answer("") // while a beforeunload dialog is open, too
	return NoReply
}

func closePage(ses *session, req *Request) Reply {
	t := ses.target
	req.Answer(Result(nil))
	if !t.asksBeforeUnload() || t.leaving != nil {
		t.destroy()
		return NoReply
	}
	(&dialog{frame: t.root, kind: "beforeunload", after: func(accepted bool, _ string) {
		if accepted {
			t.destroy()
		}
	}}).open()
	return NoReply
}

func crash(ses *session, req *Request) Reply {
	t := ses.target
	t.queue = append([]queued{{ses, req}}, t.queue...) // answered as lost when the page is loaded again
	t.crash()
	return NoReply
}

func getNavigationHistory(ses *session, _ *Request) Reply {
	t := ses.target
	return Result(M{"currentIndex": 0, "entries": []M{{
		"id": 1, "url": t.url, "userTypedURL": t.url, "title": t.title, "transitionType": "typed",
	}}})
}

func setLifecycleEventsEnabled(ses *session, req *Request) Reply {
	ses.lifecycle = req.Get("enabled") == "true"
	if ses.lifecycle {
		for _, name := range []string{"commit", "DOMContentLoaded", "load"} {
			ses.event("Page.lifecycleEvent", ses.target.root.lifecycleEvent(name))
		}
	}
	return Result(nil)
}

func captureScreenshot(*session, *Request) Reply { return Result(M{"data": onePixel}) }

func addScript(ses *session, req *Request) Reply {
	ses.scriptIDs++
	script := initScript{strconv.Itoa(ses.scriptIDs), req.Get("source")}
	ses.scripts = append(ses.scripts, script)
	if req.Get("runImmediately") == "true" {
		for _, f := range ses.target.root.local() {
			f.injected = append(f.injected, script.source)
		}
	}
	return Result(M{"identifier": script.id})
}

func removeScript(ses *session, req *Request) Reply {
	id := req.Get("identifier")
	n := len(ses.scripts)
	ses.scripts = slices.DeleteFunc(ses.scripts, func(s initScript) bool { return s.id == id })
	if len(ses.scripts) == n {
		return Refuse(-32000, "Script not found")
	}
	return Result(nil)
}

// frame returns a frame of the target's renderer by id.
func (t *target) frame(id string) *Frame {
	for _, f := range t.root.local() {
		if f.id == id {
			return f
		}
	}
	return nil
}
