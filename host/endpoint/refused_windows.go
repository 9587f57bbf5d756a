package endpoint

import (
	"errors"
	"net"

	"golang.org/x/sys/windows"
)

// isRefused reports whether the endpoint itself refused the connection: a proxy
// that does so is not a browser that is still starting.
func isRefused(err error) bool {
	var op *net.OpError
	return errors.Is(err, windows.WSAECONNREFUSED) && !(errors.As(err, &op) && op.Op == "proxyconnect")
}
