package supervisor

// The CDP commands and events that bridges live on.
const (
	pageSetBypassCSP       = "Page.setBypassCSP"
	pageAddScript          = "Page.addScriptToEvaluateOnNewDocument"
	pageRemoveScript       = "Page.removeScriptToEvaluateOnNewDocument"
	runtimeAddBinding      = "Runtime.addBinding"
	runtimeRemoveBinding   = "Runtime.removeBinding"
	runtimeBindingCalled   = "Runtime.bindingCalled"
	frameStartedNavigating = "Page.frameStartedNavigating"
	fetchEnable            = "Fetch.enable"
	fetchDisable           = "Fetch.disable"
	fetchContinue          = "Fetch.continueRequest"
	fetchContinueResponse  = "Fetch.continueResponse"
	fetchContinueWithAuth  = "Fetch.continueWithAuth"
	fetchFail              = "Fetch.failRequest"
	fetchGetBody           = "Fetch.getResponseBody"
	fetchPaused            = "Fetch.requestPaused"
	fetchAuthRequired      = "Fetch.authRequired"
	debuggerEnable         = "Debugger.enable"
	debuggerDisable        = "Debugger.disable"
	debuggerBlackbox       = "Debugger.setBlackboxPatterns"
	debuggerResume         = "Debugger.resume"
	debuggerPaused         = "Debugger.paused"
	debuggerResumed        = "Debugger.resumed"
	debuggerScriptParsed   = "Debugger.scriptParsed"
)
