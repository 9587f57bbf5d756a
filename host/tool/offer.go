package tool

// The two tools of which a toolset that lists both offers one: the subagent
// while it is on, the tool that it would drive otherwise.
const (
	nameBrowser = "browser"
	nameTask    = "task"
)

// Offer is the judgement about one tool of a toolset.
type Offer struct {
	Name string
	// Tool is nil when no source provides the tool at the moment.
	Tool *Tool
	Gate Gate
	Open bool
	// Reason says why, as a clause.
	Reason string
}

// Offers judges each tool of a toolset, in the toolset's order.
func Offers(c *Catalog, set *Toolset, state GateState) []Offer {
	offers := make([]Offer, 0, len(set.Tools))
	listed := make(map[string]int, len(set.Tools))
	for _, name := range set.Tools {
		o := Offer{Name: name, Reason: "nothing provides it at the moment"}
		if t, ok := c.Lookup(name); ok {
			o.Tool, o.Gate = t, set.GateOf(t)
			o.Open, o.Reason = o.Gate.Judge(state)
		}
		listed[name] = len(offers)
		offers = append(offers, o)
	}
	browser, hasBrowser := listed[nameBrowser]
	task, hasTask := listed[nameTask]
	if hasBrowser && hasTask && offers[task].Open && offers[browser].Open {
		offers[browser].Open = false
		offers[browser].Reason = "the subagent behind task drives it in this toolset"
	}
	return offers
}

// OfferOf judges one tool of a toolset.
func OfferOf(c *Catalog, set *Toolset, state GateState, name string) (Offer, bool) {
	for _, o := range Offers(c, set, state) {
		if o.Name == name {
			return o, true
		}
	}
	return Offer{}, false
}
