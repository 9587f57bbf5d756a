package sdk

import (
	"google.golang.org/grpc"

	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
)

// Host is a plugin's way to the browser. It is safe for concurrent use.
type Host struct {
	conn   *grpc.ClientConn
	client pluginv1.HostClient
}

func newHost(conn *grpc.ClientConn) *Host {
	return &Host{conn: conn, client: pluginv1.NewHostClient(conn)}
}

func (h *Host) close() {
	if h.conn != nil {
		_ = h.conn.Close()
	}
}
