package subagent

import (
	"context"
	"encoding/json"
)

// Names of the private tools. The first two come from the Toolbox.
const (
	ToolBrowser  = "browser"
	ToolDialog   = "browser_dialog"
	ToolComplete = "complete"
)

// Toolbox is one task's browser as the subagent reaches it. Calls come one at a
// time.
type Toolbox interface {
	// Tools describes browser and browser_dialog.
	Tools() []Tool
	// Call carries out a call; it ends at once when ctx does. What a model can do
	// something about is an Output with Failed, anything else an error.
	Call(ctx context.Context, name string, args json.RawMessage) (*Output, error)
	// Dialogs lists the dialogs that block pages of the task now.
	Dialogs() []Dialog
	// Page returns the current page; the zero Page when there is none.
	Page() Page
}

// Output is what a tool gave back.
type Output struct {
	// Reply is a JSON object; a failed one has error.code and error.message.
	Reply  json.RawMessage
	Failed bool
	Images []Image
}

// Dialog is a pending JavaScript dialog. Message is page-controlled.
type Dialog struct {
	ID      string `json:"id"`
	Type    string `json:"type"`
	Message string `json:"message"`
	TabID   string `json:"tab_id"`
	State   string `json:"state"`
}

// Page is a page of the task. URL and Title are page-controlled.
type Page struct{ TabID, URL, Title string }
