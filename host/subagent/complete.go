package subagent

import (
	"encoding/json"
	"strings"

	"cdphost/sdk/fault"
)

// maxSummary bounds what a run hands back, in bytes.
const maxSummary = 32 << 10

var completeTool = Tool{
	Name:        ToolComplete,
	Description: "Ends the work. The summary is all that the caller gets to read.",
	Schema: json.RawMessage(`{"type":"object","required":["status","summary"],"properties":{` +
		`"status":{"type":"string","enum":["completed","failed"]},` +
		`"summary":{"type":"string","description":"The answer itself, with values and addresses, and what was not managed."}}}`),
}

// completion reads the arguments of complete. A missing status is completed.
func completion(args string) (Status, string, error) {
	var in struct {
		Status  Status `json:"status"`
		Summary string `json:"summary"`
	}
	if err := json.Unmarshal([]byte(args), &in); err != nil {
		return "", "", malformed(args)
	}
	if in.Status == "" {
		in.Status = Completed
	}
	if in.Status != Completed && in.Status != Failed {
		return "", "", fault.New(fault.InvalidArgument, `status must be "completed" or "failed".`)
	}
	in.Summary = strings.TrimSpace(in.Summary)
	if in.Summary == "" {
		return "", "", fault.New(fault.InvalidArgument, "summary is missing: write what the caller is to read.")
	}
	return in.Status, clip(in.Summary, maxSummary), nil
}

// malformed is the error for arguments that are no JSON object.
func malformed(args string) error {
	return fault.New(fault.InvalidArgument, "The arguments are not a JSON object: %s. Call the tool again.", clip(args, 200))
}
