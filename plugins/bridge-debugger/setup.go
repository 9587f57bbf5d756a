package debugger

import (
	_ "embed"
	"encoding/json"

	"cdphost/sdk"
)

const (
	// scriptURL is the sourceURL of hold.js.
	scriptURL = "cdphost-dialog-bridge-{{token}}"
	// functionName is the function of hold.js that pauses.
	functionName = "cdphostDialog"
)

//go:embed hold.js
var holdScript string

//go:embed override.js
var overrideScript string

// setup runs hold.js first, whose function override.js takes over before the
// page's first script can see it. Everything but hold.js is blackboxed, and so
// are scripts without a url: a page's own debugger statements neither stop nor
// notice anything.
var setup = sdk.BridgeSetup{
	InitScripts: []sdk.InitScript{
		{Source: holdScript, RunImmediately: true},
		{Source: overrideScript, RunImmediately: true},
	},
	Debugger: &sdk.DebuggerSettings{
		BlackboxPatterns: []string{"^(?!" + scriptURL + "$).*$"},
		SkipAnonymous:    true,
	},
	Claims: []sdk.Claim{{
		Method:       "Debugger.paused",
		FunctionName: functionName,
		ScriptURL:    scriptURL,
		// The page goes on with the browser's own dialog.
		Release: answer(`"{{event.callFrames.0.callFrameId}}"`, `"native"`),
	}},
}

// answer puts a value into the paused function and lets it return. Both are
// JSON.
func answer(callFrameID, value string) []sdk.Command {
	params := `{"callFrameId":` + callFrameID + `,"expression":` + quote("box.answer="+value) + `,"silent":true,"returnByValue":true}`
	return []sdk.Command{
		{Method: "Debugger.evaluateOnCallFrame", Params: json.RawMessage(params)},
		{Method: "Debugger.resume"},
	}
}

// quote returns a text as a JSON string; a string can't fail to marshal.
func quote(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		return `""`
	}
	return string(data)
}
