package supervisor

import (
	"encoding/json"

	"cdphost/host/cdp"
)

// requestPattern is a Fetch.RequestPattern, for telling whose a paused request is.
type requestPattern struct {
	url      string
	resource string // "" is any
	response bool   // of the response stage
}

func newRequestPattern(raw json.RawMessage) (requestPattern, error) {
	var p FetchPattern
	if err := cdp.Unmarshal(raw, &p); err != nil {
		return requestPattern{}, err
	}
	if p.URLPattern == "" {
		p.URLPattern = "*"
	}
	return requestPattern{p.URLPattern, p.ResourceType, p.RequestStage == "Response"}, nil
}

// pausedRequest is what patterns are matched against.
type pausedRequest struct {
	url, whole string // without and with the fragment
	resource   string
	response   bool
}

func newPausedRequest(event json.RawMessage) (*pausedRequest, error) {
	var e struct {
		Request struct {
			URL      string `json:"url"`
			Fragment string `json:"urlFragment"`
		} `json:"request"`
		Resource string  `json:"resourceType"`
		Status   *int    `json:"responseStatusCode"`
		Failed   *string `json:"responseErrorReason"`
	}
	if err := cdp.Unmarshal(event, &e); err != nil {
		return nil, err
	}
	return &pausedRequest{
		url: e.Request.URL, whole: e.Request.URL + e.Request.Fragment,
		resource: e.Resource, response: e.Status != nil || e.Failed != nil,
	}, nil
}

// match reports whether the request may have paused because of p.
func (p requestPattern) match(r *pausedRequest) bool {
	if p.resource != "" && p.resource != r.resource || p.response != r.response {
		return false
	}
	return wildcard(p.url, r.url) || r.whole != r.url && wildcard(p.url, r.whole)
}

// wildcard matches as Fetch does: * is any run of characters, ? is one, and a
// backslash takes the next character as it is.
func wildcard(pattern, text string) bool {
	var back, at int // where to go on when what follows the last * does not match
	star := false
	p, t := 0, 0
	for t < len(text) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			p++
			star, back, at = true, p, t
			continue
		case p < len(pattern) && pattern[p] == '?':
			p++
			t++
			continue
		case p+1 < len(pattern) && pattern[p] == '\\' && pattern[p+1] == text[t]:
			p += 2
			t++
			continue
		case p < len(pattern) && pattern[p] != '\\' && pattern[p] == text[t]:
			p++
			t++
			continue
		case star:
			at++
			p, t = back, at
			continue
		}
		return false
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}
