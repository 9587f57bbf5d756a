package supervisor

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/textproto"
	"strings"

	"cdphost/host/cdp"
	"cdphost/sdk/fault"

	"github.com/chromedp/cdproto/fetch"
)

// changes are what those who were asked about a request want of it: params of
// Fetch.continueRequest or Fetch.continueResponse, by name.
type changes map[string]json.RawMessage

// interceptResponse is the change that pauses a request's response, too.
const interceptResponse = "interceptResponse"

// with returns c with what another asks for, which counts where both do.
func (c changes) with(later changes) changes {
	out := maps.Clone(c)
	if out == nil {
		out = changes{}
	}
	for name, v := range later {
		switch name {
		case interceptResponse:
			if string(v) != "true" {
				continue // somebody else may want it
			}
		case "responseHeaders":
			delete(out, "binaryResponseHeaders")
		case "binaryResponseHeaders":
			delete(out, "responseHeaders")
		}
		out[name] = v
	}
	return out
}

// wantsResponse reports whether an answer asks for the response, too.
func wantsResponse(answer json.RawMessage) bool {
	var c changes
	return cdp.Unmarshal(answer, &c) == nil && string(c[interceptResponse]) == "true"
}

// response reports whether any of it is of the response.
func (c changes) response() bool {
	for name := range c {
		if strings.HasPrefix(name, "response") || strings.HasPrefix(name, "binaryResponse") {
			return true
		}
	}
	return false
}

// continues reports whether an answer leaves the request to whoever is asked next.
func continues(cmd *cdp.Command) bool {
	switch cmd.Method {
	case fetchContinue, fetchContinueResponse:
		return true
	case fetchContinueWithAuth:
		var p fetch.ContinueWithAuthParams
		return cdp.Unmarshal(cmd.Params, &p) == nil && p.AuthChallengeResponse != nil &&
			p.AuthChallengeResponse.Response == fetch.AuthChallengeResponseResponseDefault
	}
	return false
}

// read returns the changes of a continuing answer. wrong is what the browser would
// find wrong with it: it is not asked when others are asked first.
func (c *chain) read(cmd *cdp.Command) (changed changes, wrong error) {
	refuse := func(format string, args ...any) error {
		return fault.New(fault.InvalidArgument, cmd.Method+" is refused: "+format, args...)
	}
	if err := cdp.Unmarshal(cmd.Params, &changed); err != nil {
		return nil, refuse("%v", err)
	}
	delete(changed, "requestId")
	var err error
	switch {
	case c.auth() != (cmd.Method == fetchContinueWithAuth):
		return nil, refuse("it is not what %s is answered with", c.ev.Method)
	case c.auth():
		return nil, nil
	case cmd.Method == fetchContinueResponse && !c.response:
		return nil, refuse("there is no response yet")
	case cmd.Method == fetchContinueResponse:
		err = cdp.Unmarshal(cmd.Params, &fetch.ContinueResponseParams{})
	case c.response && len(changed) > 0:
		return nil, refuse("the response is there; change it with %s", fetchContinueResponse)
	default:
		err = cdp.Unmarshal(cmd.Params, &fetch.ContinueRequestParams{})
	}
	if err != nil {
		return nil, refuse("%v", err)
	}
	return changed, nil
}

// complete puts into the last answer what those before it have changed.
func (c *chain) complete(cmd *cdp.Command) {
	if len(c.changes) == 0 {
		return
	}
	var own changes
	if cdp.Unmarshal(cmd.Params, &own) != nil {
		return // the browser says what is wrong with it
	}
	all := c.changes.with(own)
	if all.response() {
		cmd.Method = fetchContinueResponse
	}
	cmd.Params = encode(all)
}

// released is the command with which the host lets a request go on.
func (c *chain) released(session string) cdp.Command {
	cmd := cdp.Command{SessionID: session, Method: fetchContinue, Params: encode(map[string]string{"requestId": c.id})}
	if c.auth() {
		return defaultAuth(session, c.id)
	}
	c.complete(&cmd)
	return cmd
}

// defaultAuth has the browser ask for credentials as it would alone.
func defaultAuth(session, id string) cdp.Command {
	return cdp.Command{SessionID: session, Method: fetchContinueWithAuth, Params: encode(map[string]any{
		"requestId": id, "authChallengeResponse": map[string]string{"response": "Default"},
	})}
}

// failed is the command with which the host ends a request.
func (c *chain) failed(session string) cdp.Command {
	return cdp.Command{SessionID: session, Method: fetchFail, Params: encode(map[string]string{"requestId": c.id, "errorReason": "Failed"})}
}

// shown is the event as the next one is shown it: with the request, or the
// response, as it is by now.
func (c *chain) shown() json.RawMessage {
	if len(c.changes) == 0 {
		return c.ev.Params
	}
	var event, request map[string]json.RawMessage
	if cdp.Unmarshal(c.ev.Params, &event) != nil || cdp.Unmarshal(event["request"], &request) != nil {
		return c.ev.Params
	}
	set := func(in map[string]json.RawMessage, name, change string) {
		if v := c.changes[change]; v != nil {
			in[name] = v
		}
	}
	set(request, "url", "url")
	if c.changes["url"] != nil {
		delete(request, "urlFragment") // it is part of the new one
	}
	set(request, "method", "method")
	if v := c.changes["headers"]; v != nil {
		request["headers"] = headerObject(v)
	}
	if v := c.changes["postData"]; v != nil {
		var data []byte
		_ = cdp.Unmarshal(v, &data) // read has decoded it
		request["postData"], request["hasPostData"] = encode(string(data)), encode(len(data) > 0)
		request["postDataEntries"] = encode([]map[string]json.RawMessage{{"bytes": v}})
	}
	event["request"] = encode(request)
	set(event, "responseStatusCode", "responseCode")
	set(event, "responseStatusText", "responsePhrase")
	set(event, "responseHeaders", "responseHeaders")
	if v := c.changes["binaryResponseHeaders"]; v != nil {
		event["responseHeaders"] = encode(headerList(v))
	}
	return encode(event)
}

// headerObject turns a list of headers into the object that a request has.
func headerObject(list json.RawMessage) json.RawMessage {
	var entries []*fetch.HeaderEntry
	_ = cdp.Unmarshal(list, &entries) // read has decoded it
	out := make(map[string]string, len(entries))
	for _, e := range entries {
		if before, twice := out[e.Name]; twice {
			out[e.Name] = before + ", " + e.Value
			continue
		}
		out[e.Name] = e.Value
	}
	return encode(out)
}

// headerList reads headers that are written as "name: value", each with a zero
// byte behind, in base64.
func headerList(raw json.RawMessage) []*fetch.HeaderEntry {
	var text string
	_ = cdp.Unmarshal(raw, &text)
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil
	}
	var out []*fetch.HeaderEntry
	for line := range bytes.SplitSeq(data, []byte{0}) {
		if name, value, ok := strings.Cut(string(line), ":"); ok {
			out = append(out, &fetch.HeaderEntry{Name: name, Value: textproto.TrimString(value)})
		}
	}
	return out
}
