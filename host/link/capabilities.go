package link

import "slices"

// The capabilities of a browser that a link probes. What a browser refuses is
// done without, and told.
const (
	CapRootAttach   = "root_attach"   // Target.setAutoAttach on the browser session
	CapContexts     = "contexts"      // Target.createBrowserContext
	CapCreateTarget = "create_target" // Target.createTarget
	CapDiscover     = "discover"      // Target.setDiscoverTargets
	CapStandby      = "standby"       // a second connection to the same browser
)

// Capabilities is an immutable record of what a browser can do.
type Capabilities struct {
	// Product is Browser.getVersion's product, such as "Chrome/156.0.8078.114".
	Product string
	// Has maps each probed capability to what was found.
	Has map[string]bool
	// Degraded says in a sentence each what does not work.
	Degraded []string
}

func (c *Capabilities) set(name string, ok bool, degraded string) {
	c.Has[name] = ok
	if !ok && degraded != "" && !slices.Contains(c.Degraded, degraded) {
		c.Degraded = append(c.Degraded, degraded)
	}
}

func (c *Capabilities) clone() Capabilities {
	n := Capabilities{Product: c.Product, Has: make(map[string]bool, len(c.Has)), Degraded: slices.Clone(c.Degraded)}
	for k, v := range c.Has {
		n.Has[k] = v
	}
	return n
}
