package tool

import (
	"cdphost/host/capture"
	"cdphost/host/frame"
)

// Kit is what the host's own tools work with. Directory, Router and FrameTree
// must be set.
type Kit struct {
	Directory Directory
	// Router says on which session a command for a frame runs.
	Router capture.Router
	// FrameTree bounds frame_tree; it is asked at each call.
	FrameTree func() frame.Limits
	// Redact takes secrets out of the results of browser_cdp.
	Redact *Redactor
}

// Builtin returns the host's own tools.
func Builtin(k *Kit) []*Tool {
	return []*Tool{
		navigateTool(k), snapshotTool(k), dialogTool(k), cdpTool(k), connectTool(k), disconnectTool(k),
		browserTool(k),
	}
}
