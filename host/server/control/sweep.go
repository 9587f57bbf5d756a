package control

import (
	"net"
	"os"
	"time"
)

// probeTime bounds the check whether somebody listens on a socket.
const probeTime = time.Second

// sweep removes sockets on which nobody listens any more. One that is merely
// slow stays.
func sweep(dir string) {
	for _, path := range sockets(dir) {
		c, err := net.DialTimeout("unix", path, probeTime)
		switch {
		case err == nil:
			_ = c.Close()
		case refused(err):
			_ = os.Remove(path)
		}
	}
}
