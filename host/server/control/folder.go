package control

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// EnvDir names the environment variable that sets the folder of the sockets.
const EnvDir = "CDPHOST_RUNTIME_DIR"

// maxSocketPath is what every supported system takes as a socket's path
// (sun_path is 104 bytes on macOS, 108 elsewhere, one of them the end).
const maxSocketPath = 103

const socketSuffix = ".sock"

// Dir returns the folder of this user's sockets: EnvDir, else a folder of the
// user's run-time directory, else one of the temporary directory.
func Dir() string {
	if dir := os.Getenv(EnvDir); dir != "" {
		return dir
	}
	return defaultDir()
}

func socketName(pid int) string { return strconv.Itoa(pid) + socketSuffix }

// sockets lists the sockets in dir, whoever still listens on them.
func sockets(dir string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var paths []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), socketSuffix) {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	return paths
}
