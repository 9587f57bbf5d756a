package watch

import (
	"os"
	"runtime"

	"cdphost/sdk/fault"
)

// auditFile is a file that is only added to. It follows its path when somebody
// moves the file away, as log rotation does.
type auditFile struct {
	path string
	file *os.File
}

// openAudit opens or makes the file, for its owner's eyes only: what a file of
// wider mode lets others read ends with that. fault.ConfigInvalid says why not.
func openAudit(path string) (*auditFile, error) {
	a := &auditFile{path: path}
	if err := a.open(); err != nil {
		return nil, fault.Wrap(err, fault.ConfigInvalid, "audit.file %s can't be used: %v.", path, err)
	}
	return a, nil
}

func (a *auditFile) open() error {
	f, err := os.OpenFile(a.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	switch {
	case err != nil:
	case !info.Mode().IsRegular():
		err = &os.PathError{Op: "open", Path: a.path, Err: os.ErrInvalid}
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		err = f.Chmod(0o600)
	}
	if err != nil {
		_ = f.Close()
		return err
	}
	a.file = f
	return nil
}

// settle opens the path anew when it does not name the open file any more.
func (a *auditFile) settle() error {
	if a.file != nil {
		there, err := os.Stat(a.path)
		here, herr := a.file.Stat()
		if err == nil && herr == nil && os.SameFile(there, here) {
			return nil
		}
		_ = a.file.Close() // its entries are written
		a.file = nil
	}
	return a.open()
}

// Write implements io.Writer.
func (a *auditFile) Write(p []byte) (int, error) {
	if a.file == nil {
		return 0, os.ErrClosed
	}
	return a.file.Write(p)
}

func (a *auditFile) close() error {
	if a.file == nil {
		return nil
	}
	return a.file.Close()
}
