//go:build unix

package plugin

import (
	"context"
	"os"
	"sync"
	"testing"
)

// TestFoldersOfHostsThatStartAreNoRuins: a host that looks for what killed ones have
// left takes nothing from one that is just starting.
//
//nolint:paralleltest // it sets TMPDIR
func TestFoldersOfHostsThatStartAreNoRuins(t *testing.T) {
	t.Setenv("TMPDIR", shortDir(t))
	ctx, cancel := context.WithCancel(t.Context())
	var looking sync.WaitGroup
	for range 4 {
		looking.Go(func() {
			for ctx.Err() == nil {
				sweep(os.TempDir())
			}
		})
	}
	for range 300 {
		dir, release, err := privateDir(newMark())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.MkdirTemp(dir, "plugin"); err != nil {
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
	dir, err := os.MkdirTemp("/tmp", "cd")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}
