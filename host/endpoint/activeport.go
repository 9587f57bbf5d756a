package endpoint

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// activePortFile is what Chrome writes into its profile folder once its
// debugging port listens: the port, and in the second line the path of the
// browser's WebSocket.
const activePortFile = "DevToolsActivePort"

var errActivePort = errors.New("DevToolsActivePort is not complete")

type activePort struct {
	port string
	path string
}

// readActivePort reads the file of one profile folder. Chrome writes it in
// place, so it can be seen half-written: then the error is errActivePort.
func readActivePort(profile string) (activePort, error) {
	data, err := os.ReadFile(filepath.Join(profile, activePortFile))
	if err != nil {
		return activePort{}, err
	}
	port, path, _ := strings.Cut(strings.TrimSpace(string(data)), "\n")
	a := activePort{port: strings.TrimSpace(port), path: strings.TrimSpace(path)}
	if n, err := strconv.ParseUint(a.port, 10, 16); err != nil || n == 0 {
		return activePort{}, errActivePort
	}
	if !strings.HasPrefix(a.path, browserPath) || len(a.path) == len(browserPath) {
		return activePort{}, errActivePort
	}
	return a, nil
}

// url returns the address of the browser on this machine.
func (a activePort) url(host string) URL {
	u, err := ParseURL("ws://" + host + ":" + a.port + a.path)
	if err != nil { // not reached: port and path were checked
		return URL{}
	}
	return u.Direct()
}
