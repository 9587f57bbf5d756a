package endpoint

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/go-hclog"

	"cdphost/sdk/fault"
)

func TestFlags(t *testing.T) {
	t.Parallel()
	log := hclog.NewNullLogger()
	for _, tc := range []struct {
		name      string
		o         LaunchOptions
		has, lack []string
	}{
		{"always", LaunchOptions{}, []string{"--remote-debugging-port=0", "--user-data-dir=/p", "--no-first-run", "--disable-quic",
			"--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-default-browser-check"}, []string{"--headless"}},
		{"headless", LaunchOptions{Headless: true}, []string{"--headless"}, nil},
		{"temporary profile", LaunchOptions{}, []string{"--password-store=basic"}, nil},
		{"kept profile", LaunchOptions{Profile: "/p"}, nil, []string{"--password-store=basic", "--use-mock-keychain"}},
		{"configured", LaunchOptions{Args: []string{"--lang=de"}}, []string{"--lang=de"}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			tc.o.Logger = log
			got := flags(tc.o, "/p")
			for _, flag := range tc.has {
				if !slices.Contains(got, flag) {
					t.Errorf("%s is missing in %q", flag, got)
				}
			}
			for _, flag := range tc.lack {
				if slices.Contains(got, flag) {
					t.Errorf("%s is in %q", flag, got)
				}
			}
			if got[len(got)-1] != "about:blank" {
				t.Errorf("ends with %s", got[len(got)-1])
			}
		})
	}
}

func TestFlagsJoinFeatures(t *testing.T) {
	t.Parallel()
	count := 0
	for _, flag := range flags(LaunchOptions{Logger: hclog.NewNullLogger(), Args: []string{"--disable-features=A,B"}}, "/p") {
		if strings.HasPrefix(flag, "--disable-features=") {
			count++
			if !strings.HasSuffix(flag, ",A,B") || !strings.Contains(flag, "Translate") {
				t.Errorf("got %s", flag)
			}
		}
	}
	if count != 1 {
		t.Errorf("%d --disable-features, of which Chrome reads the last", count)
	}
}

func TestReservedFlags(t *testing.T) {
	t.Parallel()
	for _, arg := range []string{"--user-data-dir=/x", "--remote-debugging-port=1", "-remote-debugging-pipe", "--remote-debugging-address=0.0.0.0", "--remote-allow-origins=*"} {
		p, err := Launch(t.Context(), LaunchOptions{Args: []string{arg}, BaseDir: t.TempDir()})
		name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if p != nil || !errors.Is(err, fault.InvalidArgument) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v, %v", arg, p, err)
		}
	}
}

func TestRootIsToldOnce(t *testing.T) { //nolint:paralleltest // sets what is told once in a process
	sandboxOnce = sync.Once{}
	var b bytes.Buffer
	log := hclog.New(&hclog.LoggerOptions{Output: &b})
	want := 0
	for range 3 {
		if slices.Contains(flags(LaunchOptions{Logger: log}, "/p"), "--no-sandbox") {
			want = 1
		}
	}
	if isRoot := os.Geteuid() == 0; isRoot != (want == 1) {
		t.Errorf("root is %v, --no-sandbox is %v", isRoot, want == 1)
	}
	if n := strings.Count(b.String(), "--no-sandbox"); n != want {
		t.Errorf("told %d times: %s", n, b.String())
	}
}
