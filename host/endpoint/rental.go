package endpoint

import (
	"encoding/json"
	"time"
)

// Rental is what a provider is asked for when it starts a browser. What is left
// empty is left to the provider.
type Rental struct {
	ProjectID string          // Browserbase project; needed by keys that have several
	Region    string          // such as us-west-2
	KeepAlive bool            // outlives a lost connection
	Proxies   json.RawMessage // true, or a list of proxies in the provider's form
	Timeout   time.Duration   // the provider ends the session after it; whole seconds
	Settings  json.RawMessage // browserSettings in the provider's form
}
