package capture

import (
	"context"

	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

// Subscribe gives a holder the events of a task that match f, within its grants,
// over a queue of size events. Unlike a handle it outlives reconnects.
func (m *Manager) Subscribe(_ context.Context, key supervisor.Key, holder Holder, f supervisor.Filter, size int) (*supervisor.Subscription, error) {
	sup, ok := m.registry.Get(key)
	if !ok {
		return nil, fault.New(fault.CaptureInvalid, "the task %s has no browser attached", key.TaskID)
	}
	if err := holder.admits(sup.Settings().Toolset); err != nil {
		return nil, err
	}
	if err := holder.grantedEvents(f.Methods); err != nil {
		return nil, err
	}
	f.Holder = holder.Name
	return sup.Subscribe(f, size), nil
}
