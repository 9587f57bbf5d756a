package plugin

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"cdphost/host/supervisor"
)

const (
	// flushGrace is how long a generation that ends may take the events that wait.
	flushGrace = time.Second
	// redeliver is the pause after a subscriber's stream broke while its process
	// lives on.
	redeliver = 200 * time.Millisecond
)

// HostConfigSwapped is the host event of a switch to other generations. It belongs
// to no task; its params name the plugins that are new. The start of the first plugins is none.
const HostConfigSwapped = "Host.configSwapped"

func swapParams(fresh []*unit) json.RawMessage {
	names := make([]string, 0, len(fresh))
	for _, u := range fresh {
		names = append(names, u.spec.Name)
	}
	slices.Sort(names)
	raw, err := json.Marshal(map[string]any{"plugins": names})
	if err != nil {
		return nil
	}
	return raw
}

// Publish offers an event to the subscribers that declared it and may see it. It
// never blocks; one that reads slowly loses its own events, counted. The params
// must not change any more.
func (m *Manager) Publish(e supervisor.Event) {
	for _, u := range m.table.Load().events {
		if u.queue.wants(e.Method) && e.Audience.Includes(u.spec.Name) && m.mayReach(u.spec, e.Task) {
			u.queue.put(e)
		}
	}
}

// EventMethods returns the methods that any subscriber declared, "Domain.method"
// or "Domain.*".
func (m *Manager) EventMethods() []string {
	var out []string
	for _, u := range m.table.Load().events {
		out = append(out, u.queue.filter.methods...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// mayReach reports whether a plugin's grants reach a task. What belongs to no task
// is everybody's.
func (m *Manager) mayReach(spec *Spec, task supervisor.Key) bool {
	if spec.Grants.All || task == (supervisor.Key{}) {
		return true
	}
	return m.opts.Toolset != nil && slices.Contains(spec.Grants.Toolsets, m.opts.Toolset(task))
}

// pumpEvents delivers the queue to a generation until its process ends. When stop
// is closed it delivers what waits, within flushGrace.
func (g *generation) pumpEvents(q *eventQueue, stop <-chan struct{}) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	watched := make(chan struct{})
	defer func() { cancel(); <-watched }()
	go func() {
		defer close(watched)
		select {
		case <-g.exited():
		case <-ctx.Done():
		case <-stop:
			t := time.NewTimer(flushGrace)
			defer t.Stop()
			select {
			case <-t.C:
			case <-ctx.Done():
			}
		}
		cancel()
	}()
	for ctx.Err() == nil {
		if g.deliver(ctx, q, stop) {
			return
		}
		t := time.NewTimer(redeliver)
		select {
		case <-t.C:
		case <-ctx.Done():
		}
		t.Stop()
	}
}

// deliver opens one stream and sends until it breaks. It reports true when the
// work is done.
func (g *generation) deliver(ctx context.Context, q *eventQueue, stop <-chan struct{}) bool {
	stream, err := g.eventHook.Deliver(ctx)
	if err != nil {
		return false
	}
	for {
		batch := q.take()
		if batch == nil {
			select {
			case <-q.ready:
				continue
			case <-stream.Context().Done():
				return ctx.Err() != nil
			case <-stop:
				if batch = q.take(); batch == nil {
					_, err := stream.CloseAndRecv()
					return err == nil || ctx.Err() != nil
				}
			}
		}
		if err := stream.Send(batch); err != nil {
			q.lost(len(batch.GetEvents()))
			g.checkSoon()
			return ctx.Err() != nil
		}
	}
}
