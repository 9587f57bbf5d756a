package link

import "context"

// EnsureContext returns the task's own browser context, made now when there is
// none; "" where the task has none of its own: in a browser that a user owns, or
// where contexts can't be made.
func (m *Member) EnsureContext(ctx context.Context) (string, error) {
	conn, err := m.link.current(ctx)
	if err != nil {
		return "", err
	}
	if err := acquire(ctx, m.slot); err != nil {
		return "", err
	}
	defer vacate(m.slot)
	return m.ensureContext(ctx, conn)
}
