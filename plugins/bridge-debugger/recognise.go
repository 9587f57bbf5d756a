package debugger

import (
	"context"
	"encoding/json"
	"fmt"

	"cdphost/sdk"
)

// paused is what a Debugger.paused tells of a dialog.
type paused struct {
	CallFrames []struct {
		CallFrameID string `json:"callFrameId"`
		This        struct {
			Type  string          `json:"type"`
			Value json.RawMessage `json:"value"`
		} `json:"this"`
	} `json:"callFrames"`
}

// asked is what override.js asks.
type asked struct {
	Type     string `json:"type"`
	Message  string `json:"message"`
	Standard string `json:"standard"`
}

// Recognise implements sdk.DialogBridge: the dialog is in "this" of the function
// that pauses.
func (bridge) Recognise(_ context.Context, event sdk.BridgeEvent) (*sdk.BridgedDialog, error) {
	var p paused
	if err := json.Unmarshal(event.Params, &p); err != nil {
		return nil, fmt.Errorf("a pause can't be read: %w", err)
	}
	if len(p.CallFrames) == 0 || p.CallFrames[0].This.Type != "string" {
		return nil, nil
	}
	a, ok := read(p.CallFrames[0].This.Value)
	if !ok {
		return nil, nil
	}
	switch sdk.DialogType(a.Type) {
	case sdk.Alert, sdk.Confirm, sdk.Prompt:
	default:
		return nil, nil
	}
	return &sdk.BridgedDialog{
		Type: sdk.DialogType(a.Type), Message: a.Message, DefaultPrompt: a.Standard,
		State: []byte(quote(p.CallFrames[0].CallFrameID)),
	}, nil
}

// read takes what hold.js was asked out of the string that it was called on. What
// is something else was not put there by override.js.
func read(value json.RawMessage) (asked, bool) {
	var text string
	var a asked
	ok := json.Unmarshal(value, &text) == nil && json.Unmarshal([]byte(text), &a) == nil
	return a, ok
}

// Answer implements sdk.DialogBridge. The host sends resume only after the
// answer is in the page's hands.
func (bridge) Answer(_ context.Context, a sdk.BridgeAnswer) ([]sdk.Command, error) {
	var callFrameID string
	if err := json.Unmarshal(a.State, &callFrameID); err != nil {
		return nil, fmt.Errorf("the state of dialog %s is not this bridge's: %w", a.Dialog.ID, err)
	}
	value := struct {
		Accept bool   `json:"accept"`
		Text   string `json:"text"`
	}{Accept: a.Accept}
	if a.Text != nil {
		value.Text = *a.Text
	}
	data, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	return answer(quote(callFrameID), string(data)), nil
}
