package plugin

import (
	"context"
	"time"

	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
	"cdphost/sdk/proto/wire"
)

// healthMisses in a row are what makes the host give a generation up: one may be
// a slow machine.
const healthMisses = 2

// watchHealth checks until the process ends or stop is closed. A plugin that
// misses is killed, which its supervisor sees as an end.
func (g *generation) watchHealth(stop <-chan struct{}) {
	if g.link.process == nil {
		return // joined under a debugger, which may stop it for as long as it likes
	}
	ticker := time.NewTicker(g.opts.HealthInterval)
	defer ticker.Stop()
	misses := 0
	for {
		select {
		case <-stop:
			return
		case <-g.exited():
			return
		case <-g.kick:
		case <-ticker.C:
		}
		problem := g.checkHealth()
		g.mu.Lock()
		g.unwell = problem
		g.mu.Unlock()
		if problem == "" {
			misses = 0
			continue
		}
		misses++
		g.logger.Warn("health check failed", "problem", problem, "misses", misses)
		if misses >= healthMisses {
			g.giveUp("unhealthy: " + problem)
			return
		}
		g.checkSoon()
	}
}

// checkHealth returns what is wrong, "" for nothing.
func (g *generation) checkHealth() string {
	ctx, cancel := context.WithTimeout(context.Background(), g.opts.HealthTimeout)
	defer cancel()
	r, err := g.life.Health(ctx, &pluginv1.HealthRequest{})
	switch {
	case err != nil:
		return wire.FromStatus(err, g.peer()).Error()
	case !r.GetOk():
		return clean("it says: "+r.GetMessage(), 200)
	}
	return ""
}

// checkSoon asks for a check at once; it never blocks.
func (g *generation) checkSoon() {
	select {
	case g.kick <- struct{}{}:
	default:
	}
}
