package supervisor

import (
	"bytes"
	"encoding/json"
)

// maxOwnScripts bounds what is remembered of a bridge's scripts on one session:
// there is one for each document, and old documents come back from the browser's
// back/forward cache without being told again.
const maxOwnScripts = 2048

// ownScripts knows which scripts of a session are a bridge's own, and the frames
// that they run in. Chrome names a pause by its script alone.
type ownScripts struct {
	byID  map[string]ownScript
	order []string
}

type ownScript struct{ url, frameID string }

// parsed takes a Debugger.scriptParsed; scripts that are not the bridge's cost a
// search for the token.
func (o *ownScripts) parsed(in *installed, params []byte) {
	if !bytes.Contains(params, []byte(in.token)) {
		return
	}
	var e struct {
		ScriptID string `json:"scriptId"`
		URL      string `json:"url"`
		Context  struct {
			FrameID string `json:"frameId"`
		} `json:"executionContextAuxData"`
	}
	if json.Unmarshal(params, &e) != nil || !in.brought(e.URL) {
		return
	}
	if o.byID == nil {
		o.byID = map[string]ownScript{}
	}
	if _, known := o.byID[e.ScriptID]; !known {
		o.order = append(o.order, e.ScriptID)
	}
	o.byID[e.ScriptID] = ownScript{e.URL, e.Context.FrameID}
	if len(o.order) > maxOwnScripts {
		delete(o.byID, o.order[0])
		o.order = o.order[1:]
	}
}

// brought reports whether a claim names the script.
func (in *installed) brought(url string) bool {
	for i := range in.setup.Claims {
		if c := &in.setup.Claims[i]; c.Method == debuggerPaused && c.ScriptURL == url {
			return true
		}
	}
	return false
}
