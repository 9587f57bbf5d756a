package page

import (
	"encoding/json"
	"errors"
	"maps"

	"cdphost/sdk/fault"
)

// Reply is the outcome of an action, as the agent reads it.
type Reply struct {
	OK     bool     `json:"ok"`
	Action string   `json:"action"`
	TabID  string   `json:"tabId,omitempty"`
	Result any      `json:"result,omitempty"`
	Error  *Failure `json:"error,omitempty"`
	// Held is the dialog that holds the page: scripts, timers and promises stand
	// still there until it is answered.
	Held any `json:"held,omitempty"`
	// Earlier are the ends of actions on this tab that a dialog had interrupted.
	Earlier []Ended `json:"earlier,omitempty"`
	// Images are shown beside the reply.
	Images []Image `json:"-"`
}

// Image is a picture of a page.
type Image struct {
	MIME string
	Data []byte
}

// Ended tells how an action that was reported as blocked by a dialog came out.
type Ended struct {
	Action string   `json:"action"`
	OK     bool     `json:"ok"`
	Result any      `json:"result,omitempty"`
	Error  *Failure `json:"error,omitempty"`
	Note   string   `json:"note,omitempty"`
}

// Failure is an error as the agent reads it: code, message, and what the
// error's details add.
type Failure struct {
	Code    fault.Code
	Message string
	Details map[string]any
}

// MarshalJSON writes the details beside code and message.
func (f *Failure) MarshalJSON() ([]byte, error) {
	all := make(map[string]any, len(f.Details)+2)
	maps.Copy(all, f.Details)
	all["code"], all["message"] = f.Code, f.Message
	return json.Marshal(all)
}

// Err returns the failure as an error.
func (f *Failure) Err() error {
	return &fault.Error{Code: f.Code, Message: f.Message, Details: f.Details}
}

func failure(err error) *Failure {
	var fe *fault.Error
	if errors.As(err, &fe) {
		return &Failure{Code: fe.Code, Message: fe.Message, Details: fe.Details}
	}
	return &Failure{Code: fault.InternalError, Message: err.Error()}
}

func failed(action, tabID string, err error) *Reply {
	return &Reply{Action: action, TabID: tabID, Error: failure(err)}
}
