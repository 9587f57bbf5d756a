package plugin

import "time"

// Status is how one plugin is doing.
type Status struct {
	Name       string        `json:"name"`
	Version    string        `json:"version"`
	Hooks      []string      `json:"hooks"`
	Policies   []string      `json:"policies,omitempty"`
	PID        int           `json:"pid"`
	Generation uint64        `json:"generation"`
	Restarts   uint64        `json:"restarts"`
	Health     string        `json:"health"` // ok, or what is wrong
	Since      time.Time     `json:"since"`  // the start of the generation
	InFlight   int           `json:"in_flight"`
	QueueDepth int           `json:"queue_depth"` // events that wait
	Dropped    uint64        `json:"dropped"`     // events lost
	Calls      uint64        `json:"calls"`       // of hooks
	Failures   uint64        `json:"failures"`
	P50        time.Duration `json:"p50_ns"`
	P99        time.Duration `json:"p99_ns"`
}

// Status returns how all plugins are doing, by name.
func (m *Manager) Status() []Status {
	t := m.table.Load()
	out := make([]Status, 0, len(t.units))
	for _, name := range sortedNames(t.units) {
		out = append(out, t.units[name].status())
	}
	return out
}

func (u *unit) status() Status {
	s := Status{
		Name: u.spec.Name, Version: u.desc.Version, Hooks: u.desc.Hooks, Policies: u.desc.Policies,
		Restarts: u.restarts.Load(), Health: "ok",
	}
	s.P50, s.P99, s.Calls, s.Failures = u.latencies.percentiles()
	if u.queue != nil {
		s.QueueDepth, s.Dropped = u.queue.stats()
	}
	u.mu.Lock()
	g, failure := u.gen, u.failure
	s.Generation = u.number
	u.mu.Unlock()
	switch {
	case failure != "":
		s.Health = "out of order: " + failure
	case g == nil:
		s.Health = "starting"
	case u.breaker.open():
		s.Health = "does not answer"
	}
	if g != nil {
		s.PID, s.Since = g.pid(), g.started
		g.mu.Lock()
		s.InFlight = g.inflight
		if g.unwell != "" {
			s.Health = g.unwell
		}
		g.mu.Unlock()
	}
	return s
}
