package endpoint

import (
	"errors"
	"io/fs"
	"net"
	"net/http"
	"path/filepath"
	"testing"
)

func TestDiscover(t *testing.T) {
	t.Parallel()
	profile := func(host string) string {
		folder := t.TempDir()
		_, port, _ := net.SplitHostPort(host)
		write(t, filepath.Join(folder, activePortFile), port+"\n/devtools/browser/from-file")
		return folder
	}
	withVersion := newDebugPort(t, chromeAnswer("ws://%s/devtools/browser/from-port"))
	withoutVersion := serve(t, http.NotFound)
	other := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("hello")) })
	folders := []profileFolder{
		{"Chrome", profile(withVersion.host)},
		{"Chrome Dev", profile(closedPort(t))},
		{"Chromium", profile(other.host)},
		{"Edge", profile(withoutVersion.host)},
		{"Brave", t.TempDir()},
	}
	found := discoverIn(t.Context(), folders)
	want := []Found{
		{mustParse(t, "ws://"+withVersion.host+"/devtools/browser/from-port").Direct(), "Chrome", folders[0].folder},
		{mustParse(t, "ws://"+withoutVersion.host+"/devtools/browser/from-file").Direct(), "Edge", folders[3].folder},
	}
	if len(found) != len(want) || found[0] != want[0] || found[1] != want[1] {
		t.Errorf("got %v, want %v", found, want)
	}
}

func TestReadActivePort(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, text string
		want       activePort
		err        error
	}{
		{"as Chrome writes it", "9222\n/devtools/browser/a1", activePort{"9222", "/devtools/browser/a1"}, nil},
		{"with Windows line ends", "9222\r\n/devtools/browser/a1\r\n", activePort{"9222", "/devtools/browser/a1"}, nil},
		{"empty", "", activePort{}, errActivePort},
		{"half written", "92", activePort{}, errActivePort},
		{"half written path", "9222\n/devtools/browser/", activePort{}, errActivePort},
		{"port zero", "0\n/devtools/browser/a1", activePort{}, errActivePort},
		{"no port", "x\n/devtools/browser/a1", activePort{}, errActivePort},
		{"another path", "9222\n/etc", activePort{}, errActivePort},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			write(t, filepath.Join(folder, activePortFile), tc.text)
			got, err := readActivePort(folder)
			if got != tc.want || !errors.Is(err, tc.err) {
				t.Errorf("got %+v, %v", got, err)
			}
		})
	}
	if _, err := readActivePort(t.TempDir()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

func TestProfileFolders(t *testing.T) {
	t.Parallel()
	if found := profileFolders(); len(found) == 0 {
		t.Error("no well-known profile folders")
	}
	for _, f := range profileFolders() {
		if !filepath.IsAbs(f.folder) || f.browser == "" {
			t.Errorf("bad entry %+v", f)
		}
	}
}
