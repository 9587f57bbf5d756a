package cdp

// Event is one CDP event. Without SessionID it comes from the browser itself.
type Event struct {
	SessionID string
	Method    string

	// Params is a JSON object, empty when the event has none. It is valid only until the handler returns and
	// must not be changed; copy what is kept.
	Params []byte
}
