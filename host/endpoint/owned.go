package endpoint

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

var (
	// ErrOwned is the error of OpenAbandoned for a file whose maker lives.
	ErrOwned = errors.New("the process that made the file is running")
	// ErrNoOwner is the error of OpenAbandoned for a file that does not tell who
	// made it, as one whose maker ended while it wrote that.
	ErrNoOwner = errors.New("the file does not tell who made it")
)

// owner is the first line of an owned file.
type owner struct {
	PID   int    `json:"pid"`
	Start string `json:"start"` // of that process, in the system's own form
}

// CreateOwned makes a file (0600) that must not exist, whose first line tells
// that this process made it, and holds it locked, where the system can, until it
// is closed. The caller writes on behind that line, and removes the file at last.
func CreateOwned(path string) (*os.File, error) {
	start, err := processStart(os.Getpid())
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(owner{PID: os.Getpid(), Start: start})
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	err = lockFile(f)
	if err == nil {
		_, err = f.Write(append(data, '\n'))
	}
	if err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(path))
	}
	return f, nil
}

// OpenAbandoned opens a file of CreateOwned whose maker is gone, and holds it locked so that no other process takes it as well. It is
// positioned behind the first line. The error is ErrOwned while the maker lives,
// ErrNoOwner when the file does not say who that is, and one of package os.
func OpenAbandoned(path string) (_ *os.File, err error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
		}
	}()
	if isLocked(f) {
		return nil, fmt.Errorf("%s: %w", path, ErrOwned)
	}
	d := json.NewDecoder(f)
	var o owner
	if err := d.Decode(&o); err != nil {
		return nil, fmt.Errorf("%s: %w", path, ErrNoOwner)
	}
	if start, err := processStart(o.PID); err == nil && start == o.Start {
		return nil, fmt.Errorf("%s: %w", path, ErrOwned)
	}
	_, err = f.Seek(d.InputOffset(), io.SeekStart)
	return f, err
}
