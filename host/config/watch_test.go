package config_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"cdphost/host/config"
	"cdphost/sdk/fault"
)

// told is one call of the watcher's function.
type told struct {
	config *config.Config
	err    error
}

// watch loads file and watches it; what the watcher tells comes out of the
// channel in order.
func watch(t *testing.T, file string) (<-chan told, *config.Watcher) {
	t.Helper()
	l := config.Loader{LookupEnv: env()}
	c, err := l.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	return watchFrom(t, l, c)
}

func watchFrom(t *testing.T, l config.Loader, c *config.Config) (<-chan told, *config.Watcher) {
	t.Helper()
	calls := make(chan told, 100)
	w, err := config.Watch(c, config.WatchOptions{Loader: l, Quiet: 5 * time.Millisecond}, func(c *config.Config, err error) {
		calls <- told{c, err}
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return calls, w
}

func next(t *testing.T, calls <-chan told) told {
	t.Helper()
	select {
	case c := <-calls:
		return c
	case <-time.After(20 * time.Second):
		t.Fatal("the watcher told nothing")
		return told{}
	}
}

// wantLevel waits for a configuration with a log level as the next call.
func wantLevel(t *testing.T, calls <-chan told, level config.LogLevel) {
	t.Helper()
	got := next(t, calls)
	if got.err != nil {
		t.Fatal(got.err)
	}
	if got.config.Log.Level != level {
		t.Fatalf("level %s, want %s", got.config.Log.Level, level)
	}
}

func wantError(t *testing.T, calls <-chan told, part string) {
	t.Helper()
	got := next(t, calls)
	if got.config != nil || !errors.Is(got.err, fault.ConfigInvalid) || !strings.Contains(got.err.Error(), part) {
		t.Fatalf("config %v, error %v", got.config, got.err)
	}
}

// replace puts text in place as careful editors do, by a rename.
func replace(t *testing.T, file, text string) {
	t.Helper()
	write(t, file+".new~", text)
	if err := os.Rename(file+".new~", file); err != nil {
		t.Fatal(err)
	}
}

func level(l config.LogLevel) string { return fmt.Sprintf("log: {level: %s}\n", l) }

func TestWatchRename(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "config.yaml")
	write(t, file, level("info"))
	calls, _ := watch(t, file)
	for _, l := range []config.LogLevel{"warn", "debug", "error"} {
		replace(t, file, level(l))
		wantLevel(t, calls, l)
	}
}

// An editor that keeps a backup moves the file away first.
func TestWatchBackupEditor(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "config.yaml")
	write(t, file, level("info"))
	calls, _ := watch(t, file)
	if err := os.Rename(file, file+"~"); err != nil {
		t.Fatal(err)
	}
	wantError(t, calls, "config.yaml: can't be read: ")
	replace(t, file, level("warn"))
	wantLevel(t, calls, "warn")
}

func TestWatchWriteInPlace(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "config.yaml")
	write(t, file, level("info"))
	calls, _ := watch(t, file)
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"log: {le", "vel: ", "warn}\n"} {
		if _, err := f.WriteString(part); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	// On a machine that stalls between the writes a half-written file may be
	// seen, and told as what it is; what comes last is the whole.
	for {
		got := next(t, calls)
		if got.err == nil && got.config.Log.Level == "warn" {
			return
		}
	}
}

func TestWatchInvalid(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "config.yaml")
	write(t, file, level("info"))
	calls, _ := watch(t, file)
	replace(t, file, level("loud"))
	wantError(t, calls, `config.yaml:1:14: log.level: unknown value "loud"`)
	replace(t, file, "")
	wantError(t, calls, "is empty; the configuration in use stays")
	replace(t, file, "log: {level")
	wantError(t, calls, "is not YAML")
	replace(t, file, level("info"))
	wantLevel(t, calls, "info")
}

// The same contents again are no change, whatever happens to the file.
func TestWatchSameContents(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "config.yaml")
	write(t, file, level("info"))
	calls, _ := watch(t, file)
	replace(t, file, level("info"))
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(filepath.Dir(file), "other.yaml"), level("error"))
	replace(t, file, level("warn"))
	wantLevel(t, calls, "warn")
}

func TestWatchChangeBeforeWatch(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "config.yaml")
	write(t, file, level("info"))
	l := config.Loader{LookupEnv: env()}
	c, err := l.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	replace(t, file, level("warn"))
	calls, _ := watchFrom(t, l, c)
	wantLevel(t, calls, "warn")
}

// Kubernetes mounts a map as links to ..data, itself a link that turns.
func TestWatchTurningLinks(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Log("links need a privilege on windows; the other cases hold there")
		return
	}
	dir := t.TempDir()
	link := func(target, name string) {
		t.Helper()
		tmp := filepath.Join(dir, name+"_tmp")
		if err := os.Symlink(target, tmp); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(tmp, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(dir, "..1", "config.yaml"), level("info"))
	link("..1", "..data")
	link(filepath.Join("..data", "config.yaml"), "config.yaml")
	calls, _ := watch(t, filepath.Join(dir, "config.yaml"))
	for i, l := range []config.LogLevel{"warn", "debug", "error"} {
		version := fmt.Sprintf("..%d", i+2)
		write(t, filepath.Join(dir, version, "config.yaml"), level(l))
		link(version, "..data")
		if err := os.RemoveAll(filepath.Join(dir, fmt.Sprintf("..%d", i+1))); err != nil {
			t.Fatal(err)
		}
		wantLevel(t, calls, l)
	}
}

// A file that is a link into another folder is watched there as well.
func TestWatchLinkedElsewhere(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Log("links need a privilege on windows; the other cases hold there")
		return
	}
	dir := t.TempDir()
	file, link := filepath.Join(dir, "dotfiles", "c.yaml"), filepath.Join(dir, "etc", "config.yaml")
	write(t, file, level("info"))
	write(t, filepath.Join(dir, "etc", "x"), "")
	if err := os.Symlink(filepath.Join("..", "dotfiles", "c.yaml"), link); err != nil {
		t.Fatal(err)
	}
	calls, _ := watch(t, link)
	replace(t, file, level("warn"))
	wantLevel(t, calls, "warn")
	replace(t, link, level("debug"))
	wantLevel(t, calls, "debug")
}

func TestWatchFolderMadeAgain(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a", "b")
	file := filepath.Join(dir, "config.yaml")
	write(t, file, level("info"))
	calls, _ := watch(t, file)
	if err := os.RemoveAll(filepath.Dir(dir)); err != nil {
		t.Fatal(err)
	}
	wantError(t, calls, "can't be read")
	write(t, file+".x", level("warn"))
	if err := os.Rename(file+".x", file); err != nil {
		t.Fatal(err)
	}
	wantLevel(t, calls, "warn")
	replace(t, file, level("debug"))
	wantLevel(t, calls, "debug")
}

func TestWatchSecretFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, token := filepath.Join(dir, "etc", "config.yaml"), filepath.Join(dir, "secrets", "token")
	write(t, token, "one")
	write(t, file, "server: {token_file: "+token+"}")
	calls, _ := watch(t, file)
	replace(t, token, "two")
	if got := next(t, calls); got.err != nil || got.config.Server.Token.Reveal() != "two" {
		t.Fatalf("%v", got.err)
	}
	if err := os.Remove(token); err != nil {
		t.Fatal(err)
	}
	wantError(t, calls, "server.token_file: the file can't be read")
	replace(t, token, "three")
	if got := next(t, calls); got.err != nil || got.config.Server.Token.Reveal() != "three" {
		t.Fatalf("%v", got.err)
	}
	// A secret that only the new configuration names is followed from then on.
	other := filepath.Join(dir, "more", "other")
	replace(t, file, "server: {token_file: "+other+"}")
	wantError(t, calls, "can't be read")
	write(t, other+".x", "four")
	if err := os.Rename(other+".x", other); err != nil {
		t.Fatal(err)
	}
	if got := next(t, calls); got.err != nil || got.config.Server.Token.Reveal() != "four" {
		t.Fatalf("%v", got.err)
	}
}

func TestWatchBuiltin(t *testing.T) {
	t.Parallel()
	calls, w := watchFrom(t, config.Loader{}, config.Defaults())
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if len(calls) > 0 {
		t.Error("the built-in configuration changed")
	}
}

// Close waits for a call under way, and nothing is told after it.
func TestWatchClose(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "config.yaml")
	write(t, file, level("info"))
	c, err := config.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	entered, leave := make(chan struct{}), make(chan struct{})
	var once sync.Once
	var returned bool
	w, err := config.Watch(c, config.WatchOptions{Quiet: time.Millisecond}, func(*config.Config, error) {
		once.Do(func() { close(entered) })
		<-leave
		returned = true
	})
	if err != nil {
		t.Fatal(err)
	}
	replace(t, file, level("warn"))
	<-entered
	replace(t, file, level("debug"))
	closed := make(chan error)
	go func() { closed <- w.Close() }()
	close(leave)
	if err := <-closed; err != nil || !returned {
		t.Errorf("Close: %v, the call had returned: %v", err, returned)
	}
	if err := w.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}
}
