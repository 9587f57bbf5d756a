// Package host2plugin asks a plugin's hooks as the host does, in the SDK's own
// types.
package host2plugin

import "google.golang.org/grpc"

// Client asks one plugin. Its methods may be called at any time, once the plugin
// has been configured.
type Client struct{ conn grpc.ClientConnInterface }

// New returns the client of a connection to a plugin.
func New(conn grpc.ClientConnInterface) *Client { return &Client{conn} }
