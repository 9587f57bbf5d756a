package tool

import (
	"context"
	"strings"

	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// existing finds the task that a call means; it must exist and be attached.
func existing(ctx context.Context, d Directory, call *Call, taskID string) (Task, error) {
	id, err := TaskID(call, taskID, false, func() []string { return d.Tasks(call.Caller) })
	if err != nil {
		return nil, err
	}
	return d.Task(ctx, call.Caller, id)
}

// pageOf returns the page that a call names, or the current one.
func pageOf(s *supervisor.Snapshot, tabID string) (*supervisor.Page, error) {
	if tabID == "" {
		if p, ok := s.CurrentPage(); ok {
			return p, nil
		}
		return nil, fault.New(fault.TabNotFound, "The task has no page. Call browser_navigate to open one.").With("tabs", []string{})
	}
	if p, ok := s.Page(tabID); ok {
		return p, nil
	}
	ids := make([]string, 0, len(s.Pages))
	for _, p := range s.Pages {
		ids = append(ids, p.TabID)
	}
	for _, lost := range s.Lost {
		if lost.TabID == tabID {
			return nil, fault.New(fault.TabNotFound, "The page %s is gone (%s). Call browser_navigate to open it again.", tabID, lost.Reason).
				With("tabs", ids)
		}
	}
	return nil, fault.New(fault.TabNotFound, "There is no page %q. Pages: %s.", tabID, strings.Join(ids, ", ")).With("tabs", ids)
}
