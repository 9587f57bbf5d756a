package control

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"cdphost/sdk/fault"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type greeting struct {
	Name string `json:"name"`
}

// socketDir is short enough for a socket, which t.TempDir may not be.
func socketDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "ctl") //nolint:usetesting // a socket's path may not be as long as t.TempDir's
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return filepath.Join(dir, "run")
}

func start(t *testing.T, dir string, pid int) *Server {
	t.Helper()
	s := New(nil, nil)
	Handle(s, "greet", func(_ context.Context, g greeting) (greeting, error) {
		if g.Name == "" {
			return greeting{}, fault.New(fault.InvalidArgument, "A name is needed.").With("argument", "name")
		}
		return greeting{"Hello " + g.Name}, nil
	})
	if err := s.Start(dir, Info{PID: pid, Mode: "serve", Listen: "127.0.0.1:7717"}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestCall(t *testing.T) {
	t.Parallel()
	c := Open(start(t, socketDir(t), 1).Path())
	defer c.Close()
	got, err := Call[greeting](t.Context(), c, "greet", greeting{"Ada"})
	if err != nil || got.Name != "Hello Ada" {
		t.Errorf("%v, %v", got, err)
	}
	for _, tc := range []struct {
		name, request string
		body          any
		code          fault.Code
		says          string
	}{
		{"the handler's error", "greet", greeting{}, fault.InvalidArgument, "A name is needed"},
		{"unknown field", "greet", map[string]string{"nom": "x"}, fault.InvalidArgument, "nom"},
		{"unknown request", "part", greeting{}, fault.Unsupported, "part"},
	} {
		if _, err := Call[greeting](t.Context(), c, tc.request, tc.body); fault.CodeOf(err) != tc.code || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	dir := socketDir(t)
	if _, err := Find(t.Context(), dir, 0); fault.CodeOf(err) != fault.EndpointUnreachable || !strings.Contains(err.Error(), "cdphost serve") {
		t.Errorf("none: %v", err)
	}
	start(t, dir, 11)
	one, err := Find(t.Context(), dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	one.Close()
	start(t, dir, 12)
	if _, err := Find(t.Context(), dir, 0); fault.CodeOf(err) != fault.InvalidArgument || !strings.Contains(err.Error(), "11 (serve on 127.0.0.1:7717), 12") {
		t.Errorf("two: %v", err)
	}
	chosen, err := Find(t.Context(), dir, 12)
	if err != nil {
		t.Fatal(err)
	}
	defer chosen.Close()
	info, err := Call[Info](t.Context(), chosen, "info", struct{}{})
	if err != nil || info.PID != 12 {
		t.Errorf("%+v, %v", info, err)
	}
	if _, err := Find(t.Context(), dir, 13); fault.CodeOf(err) != fault.EndpointUnreachable {
		t.Errorf("unknown: %v", err)
	}
}

// A socket that a killed host has left is removed, and its name can be used.
func TestStaleSocket(t *testing.T) {
	t.Parallel()
	dir := socketDir(t)
	if err := preparePrivate(dir); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, socketName(21))
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(path); err != nil {
		t.Fatal(err)
	}
	start(t, dir, 21)
	if got := Instances(t.Context(), dir); len(got) != 1 || got[0].PID != 21 {
		t.Errorf("instances %+v", got)
	}
}

// Whoever looks for hosts while one starts does not take its socket away.
func TestStartWhileOthersLook(t *testing.T) {
	t.Parallel()
	dir := socketDir(t)
	ctx, cancel := context.WithCancel(t.Context())
	var looking sync.WaitGroup
	for range 4 {
		looking.Go(func() {
			for ctx.Err() == nil {
				sweep(dir)
			}
		})
	}
	for pid := range 60 {
		start(t, dir, 1000+pid)
	}
	cancel()
	looking.Wait()
	if got := len(sockets(dir)); got != 60 {
		t.Errorf("%d sockets of 60 are left", got)
	}
}

func TestCloseEndsRequestsAndRemovesTheSocket(t *testing.T) {
	t.Parallel()
	s := New(nil, nil)
	started := make(chan struct{})
	Handle(s, "wait", func(ctx context.Context, _ struct{}) (struct{}, error) {
		close(started)
		<-ctx.Done()
		return struct{}{}, fault.New(fault.Aborted, "The host is stopping.")
	})
	if err := s.Start(socketDir(t), Info{PID: 1}); err != nil {
		t.Fatal(err)
	}
	c := Open(s.Path())
	defer c.Close()
	done := make(chan error, 1)
	go func() {
		_, err := Call[struct{}](t.Context(), c, "wait", struct{}{})
		done <- err
	}()
	<-started
	if err := s.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if err := <-done; fault.CodeOf(err) != fault.Aborted {
		t.Errorf("the request ended with %v", err)
	}
	if _, err := os.Lstat(s.Path()); !os.IsNotExist(err) {
		t.Errorf("the socket is still there: %v", err)
	}
}
