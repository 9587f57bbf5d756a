package local

import (
	"context"

	"cdphost/host/tool"
)

// Elements reads a page's interactive elements for browser_snapshot.
func Elements(ctx context.Context, t tool.Task, tabID string, maxBytes int) (tool.Elements, error) {
	e, err := t.(*Task).Engine().Elements(ctx, tabID, maxBytes) //nolint:forcetypeassert // the directory makes no others
	if err != nil {
		return tool.Elements{}, err
	}
	return tool.Elements{Text: e.Text, Count: e.Count, Truncated: e.Truncated, Title: e.Title}, nil
}
