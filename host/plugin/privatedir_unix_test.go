//go:build unix

package plugin

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// TestFoldersOfHostsThatStartAreNoRuins: a host that looks for what killed ones have
// left takes nothing from one that is just starting.
func TestFoldersOfHostsThatStartAreNoRuins(t *testing.T) {
	base := shortDir(t)
	t.Setenv("TMPDIR", base)
	ctx, cancel := context.WithCancel(t.Context())
	var looking sync.WaitGroup
	for range 4 {
		looking.Go(func() {
			for ctx.Err() == nil {
				sweep(base)
			}
		})
	}
	for range 300 {
		dir, release, err := privateDir(newMark())
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(filepath.Join(dir, "plugin"), 0o700); err != nil {
			t.Fatal(err)
		}
		release()
	}
	cancel()
	looking.Wait()
}

// shortDir is a folder whose path leaves room for a socket's.
func shortDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "cd") //nolint:usetesting // t.TempDir is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}
