package endpoint

import "os"

// isPrivate is true: the default folders are below the user's own, whose access
// list they inherit.
func isPrivate(os.FileInfo) bool { return true }

// lockFile does nothing: a file that is open can't be removed on Windows.
func lockFile(*os.File) error { return nil }

// isLocked leaves the decision to the process named in the marker.
func isLocked(*os.File) bool { return false }
