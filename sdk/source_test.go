package sdk_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cdphost/sdk"
)

// TestSourceIsWhole makes sure that a new folder is not forgotten.
func TestSourceIsWhole(t *testing.T) {
	t.Parallel()
	source := sdk.Source()
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(name, ".") {
			return err
		}
		want, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		got, err := fs.ReadFile(source, filepath.ToSlash(name))
		if err != nil || string(got) != string(want) {
			t.Errorf("%s is not in Source as it is: %v", name, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
