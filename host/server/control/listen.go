package control

import (
	"context"
	"errors"
	"net"
	"os"
)

// newSuffix is what a socket's name ends with until somebody listens on it.
const newSuffix = ".new"

// listen makes a socket that appears under its name only when it is served and
// private. One that is bound and not listened on yet looks like one that a killed
// host has left, and others would remove it. The caller removes it in the end.
func listen(ctx context.Context, path string) (net.Listener, error) {
	early := path + newSuffix
	if err := os.Remove(early); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	l, err := new(net.ListenConfig).Listen(ctx, "unix", early)
	if err != nil {
		return nil, err
	}
	if u, ok := l.(*net.UnixListener); ok {
		u.SetUnlinkOnClose(false) // it is not under that name any more
	}
	err = os.Chmod(early, 0o600)
	if err == nil {
		err = os.Rename(early, path)
	}
	if err != nil {
		return nil, errors.Join(err, l.Close(), os.Remove(early))
	}
	return l, nil
}
