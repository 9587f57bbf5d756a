package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cdphost/host/config"
	"cdphost/sdk/fault"
)

// Every file in testdata/errors is wrong; beside it stands what the user reads.
func TestErrors(t *testing.T) {
	t.Parallel()
	dir := filepath.Join("testdata", "errors")
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := config.Loader{LookupEnv: env(), WorkDir: dir}.Load(name + ".yaml")
			if err == nil {
				t.Fatal("no error")
			}
			if c != nil {
				t.Error("a Config beside an error")
			}
			if !errors.Is(err, fault.ConfigInvalid) {
				t.Error("the error is not fault.ConfigInvalid")
			}
			golden := filepath.Join(dir, name+".txt")
			if *update {
				if err := os.WriteFile(golden, []byte(err.Error()+"\n"), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, readErr := os.ReadFile(golden)
			if readErr != nil {
				t.Fatal(readErr)
			}
			if diff := cmp.Diff(string(want), err.Error()+"\n"); diff != "" {
				t.Errorf("message (-want +got):\n%s", diff)
			}
			checkPositions(t, file, err)
		})
	}
}

// checkPositions fails when a mistake stands outside of its file.
func checkPositions(t testing.TB, file string, err error) {
	t.Helper()
	data, readErr := os.ReadFile(file)
	if readErr != nil {
		t.Fatal(readErr)
	}
	checkRange(t, data, err)
}

func checkRange(t testing.TB, data []byte, err error) {
	t.Helper()
	lines := strings.Split(string(data), "\n")
	var list config.ErrorList
	if !errors.As(err, &list) || len(list) == 0 {
		t.Fatalf("not an ErrorList: %v", err)
	}
	for _, e := range list {
		if e.Problem == "" {
			t.Errorf("%v: no problem", e)
		}
		if !e.Pos.IsValid() {
			continue
		}
		if e.Pos.Line > len(lines) || e.Pos.Column < 1 || e.Pos.Column > len([]rune(lines[e.Pos.Line-1]))+1 {
			t.Errorf("outside of the file: %v", e)
		}
	}
}

func TestErrorIs(t *testing.T) {
	t.Parallel()
	_, err := parse(t, "log: {level: loud}")
	var one *config.Error
	if !errors.As(err, &one) {
		t.Fatalf("no *config.Error in %v", err)
	}
	want := config.Error{
		Pos: config.Position{File: "config.yaml", Line: 1, Column: 14}, Path: "log.level",
		Problem: `unknown value "loud"`, Allowed: []string{"trace", "debug", "info", "warn", "error", "off"},
	}
	if diff := cmp.Diff(want, *one); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if !errors.Is(one, fault.ConfigInvalid) || errors.Is(one, fault.Timeout) {
		t.Error("an Error is fault.ConfigInvalid and nothing else")
	}
}

func TestMissingFile(t *testing.T) {
	t.Parallel()
	_, err := config.Loader{WorkDir: t.TempDir()}.Load("none.yaml")
	if !errors.Is(err, fault.ConfigInvalid) || !strings.HasPrefix(err.Error(), "none.yaml: can't be read: ") {
		t.Errorf("error %v", err)
	}
}

func TestBigFile(t *testing.T) {
	t.Parallel()
	_, err := parse(t, "# "+strings.Repeat("x", 1<<20))
	if err == nil || err.Error() != "config.yaml: is bigger than 1 MiB" {
		t.Errorf("error %v", err)
	}
}
