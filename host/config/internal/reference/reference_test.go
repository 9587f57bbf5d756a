package reference_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"cdphost/host/config/internal/reference"
)

var update = flag.Bool("update", false, "write docs/config.md")

func TestReferenceIsCurrent(t *testing.T) {
	t.Parallel()
	want, err := reference.Render(os.DirFS(filepath.Join("..", "..")))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("..", "..", "..", "..", "docs", "config.md")
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("docs/config.md is stale; run `go generate ./host/config` (-code +file):\n%s", diff)
	}
}

func TestRenderNeedsComments(t *testing.T) {
	t.Parallel()
	_, err := reference.Render(fstest.MapFS{"a.go": {Data: []byte("package config")}})
	if err == nil || err.Error() != "browser: the field Config.Browser has no comment" {
		t.Errorf("error %v", err)
	}
}
