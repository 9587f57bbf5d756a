package browserbase

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"fmt"

	"cdphost/sdk"
)

// state is what Answer needs.
type state struct {
	RequestID string `json:"request_id"`
	Token     string `json:"token"`
}

// Recognise implements sdk.DialogBridge. A request is a dialog when it goes to
// exactly the address of override.js and its body has the session's token.
func (bridge) Recognise(_ context.Context, event sdk.BridgeEvent) (*sdk.BridgedDialog, error) {
	var p paused
	if err := json.Unmarshal(event.Params, &p); err != nil {
		return nil, fmt.Errorf("a paused request can't be read: %w", err)
	}
	if p.Request.URL != address || p.Request.Method != "POST" {
		return nil, nil
	}
	a, ok := p.asked()
	if !ok || event.Token == "" || subtle.ConstantTimeCompare([]byte(a.Token), []byte(event.Token)) == 0 {
		return nil, nil
	}
	switch sdk.DialogType(a.Type) {
	case sdk.Alert, sdk.Confirm, sdk.Prompt:
	default:
		return nil, nil
	}
	kept, err := json.Marshal(state{p.RequestID, event.Token})
	if err != nil {
		return nil, err
	}
	return &sdk.BridgedDialog{
		Type: sdk.DialogType(a.Type), Message: a.Message, DefaultPrompt: a.Standard,
		FrameID: p.FrameID, State: kept,
	}, nil
}
