package browserbase

import (
	_ "embed"
	"encoding/base64"
	"encoding/json"
)

const (
	// origin is a host that no resolver knows (RFC 6761). It is https, because a
	// page that came over https may not ask http.
	origin = "https://hermes-dialog-bridge.invalid"
	// address is the one URL that override.js asks. The token is not part of it:
	// a page can read the URLs of its requests (PerformanceResourceTiming), but
	// not their bodies.
	address = origin + "/dialog"
)

//go:embed override.js
var overrideScript string

// paused is what a Fetch.requestPaused tells of a dialog.
type paused struct {
	RequestID string `json:"requestId"`
	FrameID   string `json:"frameId"`
	Request   struct {
		URL     string `json:"url"`
		Method  string `json:"method"`
		Body    string `json:"postData"`
		Entries []struct {
			Bytes string `json:"bytes"` // base64
		} `json:"postDataEntries"`
	} `json:"request"`
}

// asked is the body of a request.
type asked struct {
	Token    string `json:"token"`
	Type     string `json:"type"`
	Message  string `json:"message"`
	Standard string `json:"standard"`
}

// asked reads the body; false when there is none of override.js's.
func (p *paused) asked() (a asked, ok bool) {
	body := []byte(p.Request.Body)
	if len(body) == 0 {
		for _, e := range p.Request.Entries {
			part, err := base64.StdEncoding.DecodeString(e.Bytes)
			if err != nil {
				return a, false
			}
			body = append(body, part...)
		}
	}
	return a, json.Unmarshal(body, &a) == nil
}
