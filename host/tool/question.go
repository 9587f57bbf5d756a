package tool

// Question is a pending dialog about which the policy wants the user asked.
// The server turns it into an MCP input request where the client can ask; the
// dialog stays held otherwise.
type Question struct {
	TaskID   string
	DialogID string
	// Type is alert, confirm, prompt or beforeunload.
	Type          string
	Message       string
	DefaultPrompt string
	// URL is that of the frame that raised the dialog.
	URL string
}
