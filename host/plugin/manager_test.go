//go:build unix

package plugin_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"cdphost/host/dialog"
	"cdphost/host/plugin"
	"cdphost/sdk/fault"
)

func TestPolicyAcrossTheWire(t *testing.T) {
	t.Parallel()
	m := newManager(t)
	apply(t, m, configured("p", `{"verdict":"accept"}`))
	v, err := decide(t, m, "hello")
	if err != nil {
		t.Fatal(err)
	}
	if v.Do != dialog.DoAccept || v.Timeout != 3*time.Second || v.Then != dialog.Accept || v.Reason != "test" {
		t.Errorf("got %+v", v)
	}
	if got := m.Policies(); len(got) != 1 || got[0] != "test" {
		t.Errorf("policies %v", got)
	}
	_, err = m.Policy("nope").Decide(t.Context(), request(""))
	wantCode(t, err, fault.PluginUnavailable)
	_, err = decide(t, m, "fault")
	wantCode(t, err, fault.DomainBlocked)
	var f *fault.Error
	if !errors.As(err, &f) || f.Details["domain"] != "x.test" || f.Message != "not here" {
		t.Errorf("got %#v", f)
	}
}

func TestConfigErrorsCarryTheirPath(t *testing.T) {
	t.Parallel()
	m := newManager(t)
	for name, tc := range map[string]struct{ config, path, text string }{
		"unknown key":   {`{"verdit":"hold"}`, "verdit", "unknown key"},
		"wrong type":    {`{"limit":"x"}`, "limit", `is "x", but must be a whole number`},
		"unknown value": {`{"verdict":"explode"}`, "verdict", `"explode" is not known`},
		"validated":     {`{"limit":-1}`, "limit", "must not be negative"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := configured("p", tc.config)
			for _, err := range []error{m.Apply(t.Context(), []plugin.Spec{s}), func() error { _, err := m.Check(t.Context(), []plugin.Spec{s}); return err }()} {
				wantCode(t, err, fault.ConfigInvalid)
				var c *plugin.ConfigError
				if !errors.As(err, &c) || c.Plugin != "p" || len(c.Problems) != 1 || c.Problems[0].Path != tc.path ||
					!strings.Contains(c.Problems[0].Message, tc.text) {
					t.Errorf("got %+v", c)
				}
			}
		})
	}
	if n := len(m.Status()); n != 0 {
		t.Errorf("%d plugins run after invalid configurations", n)
	}
}

func TestCheckDescribes(t *testing.T) {
	t.Parallel()
	m := newManager(t)
	d, err := m.Check(t.Context(), []plugin.Spec{spec("p", "good")})
	if err != nil {
		t.Fatal(err)
	}
	if d[0].Version != "0.0.1" || len(d[0].Policies) != 1 || string(d[0].DefaultConfig) == "" || d[0].Instance != "p" ||
		!slices.Contains(d[0].Tools, "cdp") {
		t.Errorf("got %+v", d[0])
	}
}

func TestSwapStartsOnlyWhatChanged(t *testing.T) {
	t.Parallel()
	swaps := make(chan struct{}, 10)
	m := newManager(t, func(o *plugin.Options) { o.OnSwap = func() { swaps <- struct{}{} } })
	first, second := spec("first", "good"), spec("second", "second")
	apply(t, m, first, second)
	pid, gen := mustDecide(t, m, "")
	if gen != 1 {
		t.Errorf("generation %d", gen)
	}
	apply(t, m, first, second)
	if again, _ := mustDecide(t, m, ""); again != pid {
		t.Error("an unchanged plugin was restarted")
	}
	if len(swaps) != 1 {
		t.Errorf("%d swaps", len(swaps))
	}
	second2 := statusOf(t, m, "second").PID
	first = configured("first", `{"verdict":"dismiss"}`)
	apply(t, m, first, second)
	v, err := decide(t, m, "")
	if err != nil || v.Do != "dismiss" {
		t.Errorf("got %+v, %v", v, err)
	}
	if s := statusOf(t, m, "first"); s.Generation != 2 || s.Restarts != 0 || s.Health != "ok" {
		t.Errorf("got %+v", s)
	}
	if statusOf(t, m, "second").PID != second2 {
		t.Error("the other plugin was restarted")
	}
	eventually(t, "the old process is gone", func() bool { return !processLives(pid) })
}

func TestInvalidApplyChangesNothing(t *testing.T) {
	t.Parallel()
	m := newManager(t)
	apply(t, m, spec("p", "good"))
	pid, _ := mustDecide(t, m, "")
	bad := configured("p", `{"verdict":"x"}`)
	wantCode(t, m.Apply(t.Context(), []plugin.Spec{bad, spec("q", "second")}), fault.ConfigInvalid)
	wantCode(t, m.Apply(t.Context(), []plugin.Spec{spec("p", "good"), spec("q", "good")}), fault.ConfigInvalid) // the same policy twice
	if again, _ := mustDecide(t, m, ""); again != pid || len(m.Status()) != 1 {
		t.Error("something changed")
	}
}

func TestSwapLetsCallsFinish(t *testing.T) {
	t.Parallel()
	m := newManager(t)
	apply(t, m, spec("p", "good"))
	old, _ := mustDecide(t, m, "")
	type result struct {
		v   dialog.Verdict
		err error
	}
	done := make(chan result, 1)
	go func() {
		v, err := m.Policy("test").Decide(context.Background(), request("slow"))
		done <- result{v, err}
	}()
	eventually(t, "the call is in flight", func() bool { return statusOf(t, m, "p").InFlight == 1 })
	apply(t, m, configured("p", `{"verdict":"accept"}`))
	if v, err := decide(t, m, ""); err != nil || v.Do != "accept" {
		t.Errorf("new generation: %+v, %v", v, err)
	}
	r := <-done
	if r.err != nil || r.v.Do != "hold" || !strings.HasPrefix(*r.v.Text, strconvItoa(old)+" ") {
		t.Errorf("old generation: %+v, %v", r.v, r.err)
	}
}

func TestCallsDuringSwapsAreAllAnswered(t *testing.T) {
	t.Parallel()
	m := newManager(t)
	apply(t, m, spec("p", "good"))
	stop := make(chan struct{})
	errs := make(chan error, 4)
	for range 4 {
		go func() {
			for {
				select {
				case <-stop:
					errs <- nil
					return
				default:
				}
				if _, err := m.Policy("test").Decide(context.Background(), request("")); err != nil {
					errs <- err
					return
				}
			}
		}()
	}
	for _, verdict := range []string{"accept", "dismiss", "hold", "accept"} {
		apply(t, m, configured("p", `{"verdict":"`+verdict+`"}`))
	}
	close(stop)
	for range 4 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

func TestRemovedPlugin(t *testing.T) {
	t.Parallel()
	m := newManager(t)
	apply(t, m, spec("p", "good"))
	pid, _ := mustDecide(t, m, "")
	apply(t, m)
	_, err := decide(t, m, "")
	wantCode(t, err, fault.PluginUnavailable)
	eventually(t, "the process is gone", func() bool { return !processLives(pid) })
}

func TestEnvironmentIsAnAllowList(t *testing.T) {
	t.Setenv("CDPHOST_TEST_SECRET", "hunter2")
	t.Setenv("CDPHOST_TEST_ALLOWED", "yes")
	m := newManager(t)
	s := spec("p", "good")
	s.Env = []string{"GORACE", "CDPHOST_TEST_ALLOWED"}
	apply(t, m, s)
	v, err := decide(t, m, "env")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(*v.Text, "hunter2") || !strings.Contains(*v.Text, "CDPHOST_TEST_ALLOWED=yes") || !strings.Contains(*v.Text, "PATH=") {
		t.Errorf("environment:\n%s", *v.Text)
	}
}

func TestMTLS(t *testing.T) {
	t.Parallel()
	m := newManager(t, func(o *plugin.Options) { o.Host = newFakeHost() })
	s := spec("p", "good")
	s.MTLS = true
	apply(t, m, s)
	mustDecide(t, m, "")
	if _, err := callTool(t, m, "cdp", map[string]any{"method": "Test.ok"}); err != nil {
		t.Error(err)
	}
}

func TestRestartAfterKill(t *testing.T) {
	t.Parallel()
	restarted := make(chan string, 10)
	m := newManager(t, func(o *plugin.Options) { o.OnRestart = func(n string) { restarted <- n } })
	apply(t, m, configured("p", `{"verdict":"dismiss"}`))
	pid, _ := mustDecide(t, m, "")
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if name := <-restarted; name != "p" {
		t.Errorf("restarted %q", name)
	}
	v, err := decide(t, m, "")
	if err != nil || v.Do != "dismiss" { // configured again
		t.Fatalf("%+v, %v", v, err)
	}
	if s := statusOf(t, m, "p"); s.Restarts != 1 || s.Generation != 2 || s.PID == pid {
		t.Errorf("got %+v", s)
	}
}

func TestSocketsAndFoldersAreGone(t *testing.T) {
	short, err := os.MkdirTemp("/tmp", "t") //nolint:usetesting // t.TempDir is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(short) }()
	t.Setenv("TMPDIR", short)
	o := plugin.Options{SelfArgs: []string{"plugin-under-test"}}
	m, err := plugin.New(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Apply(t.Context(), []plugin.Spec{spec("p", "good")}); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(short)
	if err != nil || len(entries) != 1 {
		t.Fatalf("%v, %v", entries, err)
	}
	info, err := entries[0].Info()
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("folder %v, %v", info.Mode(), err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	if entries, _ := os.ReadDir(short); len(entries) != 0 {
		t.Errorf("left behind: %v", entries)
	}
}
