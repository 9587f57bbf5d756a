//go:build unix

package plugin_test

import (
	"context"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"cdphost/host/dialog"
	"cdphost/host/plugin"
	"cdphost/sdk/fault"
)

// hostilePair starts a plugin of a mode beside a good one.
func hostilePair(t *testing.T, mode string, change ...func(*plugin.Options)) *plugin.Manager {
	t.Helper()
	m := newManager(t, change...)
	apply(t, m, spec("bad", mode), spec("other", "second"))
	return m
}

// patient lets a plugin be busy for as long as it likes.
func patient(o *plugin.Options) { o.HealthTimeout = time.Minute }

// othersServed asserts that the plugin beside the hostile one works.
func othersServed(t *testing.T, m *plugin.Manager) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if _, err := m.Policy("second").Decide(ctx, request("")); err != nil {
		t.Errorf("the other plugin: %v", err)
	}
	if s := statusOf(t, m, "other"); s.Restarts != 0 {
		t.Errorf("the other plugin was restarted %d times", s.Restarts)
	}
}

func TestPluginsThatDoNotStart(t *testing.T) {
	t.Parallel()
	short := func(o *plugin.Options) { o.StartTimeout = time.Second }
	for mode, text := range map[string]string{
		"exit":            `plugin bad: builtin exit is not a cdphost plugin: it exited with status 3 without a handshake; it last wrote "no licence found"`,
		"garbage":         `plugin bad: builtin garbage is not a cdphost plugin: it printed "Hello, I am not a plugin[31m" where a plugin prints its handshake`,
		"silent":          `plugin bad: builtin silent is not a cdphost plugin, or hangs: no handshake in time`,
		"version":         `plugin bad: builtin version speaks version 99 of the plugin protocol and this cdphost version 1; build it with this cdphost's SDK`,
		"half":            `plugin bad`,
		"hang-describe":   `plugin bad`,
		"hang-configure":  `plugin bad hangs in Configure: no answer within 1s`,
		"panic-configure": `plugin bad failed in Configure: internal_error: panic in /cdphost.plugin.v1.Plugin/Configure: configure`,
		"die-configure":   `plugin bad ended in Configure`,
	} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			m := newManager(t, short)
			apply(t, m, spec("other", "second"))
			err := m.Apply(t.Context(), []plugin.Spec{spec("bad", mode), spec("other", "second")})
			wantCode(t, err, fault.PluginUnavailable)
			if !strings.Contains(err.Error(), text) {
				t.Errorf("got  %v\nwant %s", err, text)
			}
			if strings.ContainsAny(err.Error(), "\n\x1b") {
				t.Errorf("not one clean line: %q", err)
			}
			othersServed(t, m)
		})
	}
}

func TestProgramsThatAreNoPlugin(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		spec plugin.Spec
		text string
	}{
		"missing":    {plugin.Spec{Path: "/nonexistent/plugin"}, "plugin p: /nonexistent/plugin can't be run: "},
		"a command":  {plugin.Spec{Path: "/bin/echo", Args: []string{"hi"}}, `plugin p: /bin/echo is not a cdphost plugin: it printed "hi" where a plugin prints its handshake`},
		"fails":      {plugin.Spec{Path: "/bin/false"}, `plugin p: /bin/false is not a cdphost plugin: it exited with status 1 without a handshake`},
		"wrong hash": {plugin.Spec{Path: "/bin/echo", SHA256: strings.Repeat("0", 64)}, "plugin p: the sha256 of /bin/echo is "},
		"a folder":   {plugin.Spec{Path: "/tmp"}, "plugin p: /tmp can't be run: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newManager(t)
			tc.spec.Name = "p"
			err := m.Apply(t.Context(), []plugin.Spec{tc.spec})
			wantCode(t, err, fault.PluginUnavailable)
			if !strings.Contains(err.Error(), tc.text) {
				t.Errorf("got  %v\nwant %s", err, tc.text)
			}
		})
	}
}

func TestStartIsCancelled(t *testing.T) {
	t.Parallel()
	m := newManager(t)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, cancel)
	err := m.Apply(ctx, []plugin.Spec{spec("bad", "silent")})
	wantCode(t, err, fault.PluginUnavailable)
	if !strings.Contains(err.Error(), "cancelled") {
		t.Errorf("got %v", err)
	}
}

func TestHookThatHangsCostsItsOwnCall(t *testing.T) {
	t.Parallel()
	m := hostilePair(t, "good")
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	_, err := m.Policy("test").Decide(ctx, request("hang"))
	wantCode(t, err, fault.Timeout)
	mustDecide(t, m, "")
	othersServed(t, m)
}

func TestPanicsAreContained(t *testing.T) {
	t.Parallel()
	m := hostilePair(t, "good")
	pid, _ := mustDecide(t, m, "")
	_, err := decide(t, m, "panic")
	wantCode(t, err, fault.InternalError)
	if again, _ := mustDecide(t, m, ""); again != pid {
		t.Error("a panic in a hook ended the process")
	}
	othersServed(t, m)
}

func TestCrashInCallIsAskedAgain(t *testing.T) {
	t.Parallel()
	m := hostilePair(t, "good")
	if _, gen := mustDecide(t, m, "crash in generation 1"); gen != 2 {
		t.Errorf("generation %d", gen)
	}
	othersServed(t, m)
}

func TestKillWithCallsInFlight(t *testing.T) {
	t.Parallel()
	m := hostilePair(t, "good")
	pid, _ := mustDecide(t, m, "")
	type result struct {
		v   dialog.Verdict
		err error
	}
	gens := make(chan result, 20)
	for range cap(gens) {
		go func() {
			v, err := decide(t, m, "hang in generation 1")
			gens <- result{v, err}
		}()
	}
	eventually(t, "the calls are in flight", func() bool { return statusOf(t, m, "bad").InFlight == cap(gens) })
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	for range cap(gens) {
		if r := <-gens; r.err != nil || !strings.HasSuffix(*r.v.Text, " 2") {
			t.Errorf("got %+v", r)
		}
	}
	othersServed(t, m)
}

func TestStoppedProcessIsReplaced(t *testing.T) {
	t.Parallel()
	m := hostilePair(t, "good", func(o *plugin.Options) { o.HealthInterval = 50 * time.Millisecond })
	pid, _ := mustDecide(t, m, "")
	if _, gen := mustDecide(t, m, "stop in generation 1"); gen != 2 {
		t.Errorf("generation %d", gen)
	}
	eventually(t, "the stopped process is gone", func() bool { return !processLives(pid) })
	othersServed(t, m)
}

func TestStoppedProcessIsClosed(t *testing.T) {
	t.Parallel()
	m := newManager(t)
	apply(t, m, spec("p", "good"))
	pid, _ := mustDecide(t, m, "")
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	if processLives(pid) {
		t.Error("a stopped process outlives Close")
	}
}

func TestUnwellPluginIsReplaced(t *testing.T) {
	t.Parallel()
	m := hostilePair(t, "unwell", func(o *plugin.Options) { o.HealthInterval = 20 * time.Millisecond })
	eventually(t, "a healthy generation", func() bool {
		s := statusOf(t, m, "bad")
		return s.Generation == 2 && s.Health == "ok" && s.Restarts == 1
	})
	othersServed(t, m)
}

func TestRestartBudget(t *testing.T) {
	t.Parallel()
	m := hostilePair(t, "good")
	eventually(t, "the budget is used up", func() bool {
		_, err := decide(t, m, "crash")
		wantCode(t, err, fault.PluginUnavailable)
		return statusOf(t, m, "bad").Health == "out of order: it ended again and again"
	})
	if s := statusOf(t, m, "bad"); s.Restarts != 5 {
		t.Errorf("%d restarts", s.Restarts)
	}
	_, err := decide(t, m, "")
	wantCode(t, err, fault.PluginUnavailable)
	apply(t, m, spec("bad", "good"), spec("other", "second")) // a reload tries anew
	mustDecide(t, m, "")
	othersServed(t, m)
}

func TestOutputFloodsCanNotHurt(t *testing.T) {
	t.Parallel()
	var log logBuffer
	m := hostilePair(t, "good", patient, func(o *plugin.Options) { o.Logger = log.logger() })
	pid, _ := mustDecide(t, m, "stderr") // 128 MB in one line, then lines that crash go-plugin's own parser
	mustDecide(t, m, "stdout")
	if again, _ := mustDecide(t, m, ""); again != pid {
		t.Error("the process was restarted")
	}
	eventually(t, "the log lines", func() bool {
		s := log.String()
		return strings.Contains(s, "bad: hello: n=") && strings.Contains(s, "bytes_cut=")
	})
	if n := len(log.String()); n > 1<<20 {
		t.Errorf("%d bytes in the log", n)
	}
	othersServed(t, m)
}

func TestHugeReply(t *testing.T) {
	t.Parallel()
	m := hostilePair(t, "good", patient)
	_, err := decide(t, m, "big")
	wantCode(t, err, fault.ReplyTooBig)
	mustDecide(t, m, "")
	othersServed(t, m)
}

func TestChildrenEndWithTheirPlugin(t *testing.T) {
	t.Parallel()
	m := hostilePair(t, "good")
	pid, _ := mustDecide(t, m, "")
	v, err := decide(t, m, "child")
	if err != nil {
		t.Fatal(err)
	}
	child, err := strconv.Atoi(*v.Text)
	if err != nil || !processLives(child) {
		t.Fatalf("child %s: %v", *v.Text, err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the child is gone", func() bool { return !processLives(child) })
	mustDecide(t, m, "")
	othersServed(t, m)
}
