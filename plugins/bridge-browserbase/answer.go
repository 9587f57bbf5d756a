package browserbase

import (
	"context"
	"encoding/json"
	"fmt"

	"cdphost/sdk"
)

type header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// headers let the answer be read by pages of every origin.
var headers = []header{
	{"Access-Control-Allow-Origin", "*"},
	{"Cross-Origin-Resource-Policy", "cross-origin"},
	{"Content-Type", "application/json"},
	{"Cache-Control", "no-store"},
}

// Answer implements sdk.DialogBridge: the request is fulfilled with the answer.
// It has the token, so that the page takes it from nobody else.
func (bridge) Answer(_ context.Context, a sdk.BridgeAnswer) ([]sdk.Command, error) {
	var s state
	if err := json.Unmarshal(a.State, &s); err != nil {
		return nil, fmt.Errorf("the state of dialog %s is not this bridge's: %w", a.Dialog.ID, err)
	}
	answer := struct {
		Token  string `json:"token"`
		Accept bool   `json:"accept"`
		Text   string `json:"text"`
	}{Token: s.Token, Accept: a.Accept}
	if a.Text != nil {
		answer.Text = *a.Text
	}
	body, err := json.Marshal(answer)
	if err != nil {
		return nil, err
	}
	params, err := json.Marshal(struct {
		RequestID string   `json:"requestId"`
		Code      int      `json:"responseCode"`
		Headers   []header `json:"responseHeaders"`
		Body      []byte   `json:"body"`
	}{s.RequestID, 200, headers, body})
	if err != nil {
		return nil, err
	}
	return []sdk.Command{{Method: "Fetch.fulfillRequest", Params: params}}, nil
}
