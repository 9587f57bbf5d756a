package cdptest

import "maps"

// What the mock says of itself.
const (
	product   = "Chrome/156.0.8078.114"
	userAgent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/156.0.0.0 Safari/537.36"
	jsVersion = "15.6.75.63"
)

// methods is what the model can do. It is filled at init because dispatching and methods refer to
// each other.
var methods map[string]method

func init() {
	methods = map[string]method{}
	for _, domain := range []map[string]method{browserMethods, targetMethods, pageMethods, runtimeMethods} {
		maps.Copy(methods, domain)
	}
	for _, name := range rendererDomains {
		methods[name+".enable"] = method{run: enable, at: onPage, renderer: true}
		methods[name+".disable"] = method{run: disable, at: onPage, renderer: true}
	}
	methods["Fetch.enable"] = method{run: enable, at: onPage}
	methods["Fetch.disable"] = method{run: disable, at: onPage}
	for _, name := range rendererNoops {
		methods[name] = method{run: nothing, at: onPage, renderer: true}
	}
	for _, name := range browserNoops {
		methods[name] = method{run: nothing, at: onPage}
	}
}

// rendererDomains can be enabled, and do nothing but remember it.
var rendererDomains = []string{
	"Accessibility", "CSS", "DOM", "DOMSnapshot", "Inspector", "Log", "Network", "Overlay", "Performance",
}

// rendererNoops succeed, once the renderer answers.
var rendererNoops = []string{
	"Debugger.resume", "Debugger.setBlackboxPatterns", "Debugger.setSkipAllPauses", "Debugger.evaluateOnCallFrame",
	"Emulation.setFocusEmulationEnabled", "Emulation.setDeviceMetricsOverride", "Emulation.clearDeviceMetricsOverride",
	"Emulation.setUserAgentOverride", "Input.insertText", "Network.setCacheDisabled", "Page.setBypassCSP",
	"Page.setInterceptFileChooserDialog", "Runtime.addBinding", "Runtime.removeBinding", "Runtime.terminateExecution",
}

// browserNoops succeed while the renderer is blocked, too.
var browserNoops = []string{
	"Fetch.continueRequest", "Fetch.continueResponse", "Fetch.continueWithAuth", "Fetch.failRequest", "Fetch.fulfillRequest", "Network.setExtraHTTPHeaders",
	"Page.bringToFront", "Page.stopLoading", "Input.dispatchMouseEvent", "Input.dispatchKeyEvent",
}

func nothing(*session, *Request) Reply { return Result(nil) }

func enable(ses *session, req *Request) Reply {
	ses.enabled[domainOf(req.Method)] = true
	return Result(nil)
}

func disable(ses *session, req *Request) Reply {
	delete(ses.enabled, domainOf(req.Method))
	return Result(nil)
}
