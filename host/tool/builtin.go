package tool

import (
	"context"

	"cdphost/host/capture"
	"cdphost/host/frame"
)

// Kit is what the host's own tools work with. Directory, Router and Elements
// must be set.
type Kit struct {
	Directory Directory
	// Router says on which session a command for a frame runs.
	Router capture.Router
	// Elements reads a page's interactive elements for browser_snapshot.
	Elements func(ctx context.Context, t Task, tabID string, maxBytes int) (Elements, error)
	// FrameTree bounds frame_tree; it is asked at each call.
	FrameTree func() frame.Limits
	// Redact takes secrets out of the results of browser_cdp.
	Redact *Redactor
}

// Elements is what a page shows, as text for a model.
type Elements struct {
	// Text lists the elements with their uids.
	Text string
	// Count is the number of elements on the page, Truncated says that the text
	// does not hold them all.
	Count     int
	Truncated bool
	// Title is document.title.
	Title string
}

// Builtin returns the host's own tools, save those of package page.
func Builtin(k *Kit) []*Tool {
	return []*Tool{
		navigateTool(k), snapshotTool(k), dialogTool(k), cdpTool(k), connectTool(k), disconnectTool(k),
	}
}
