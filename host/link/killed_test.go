package link_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cdphost/host/cdp"
	"cdphost/host/cdp/cdptest"
	"cdphost/host/link"
)

// toBeKilled tells a test binary what host to be.
type toBeKilled struct {
	URL, Dir  string
	UserOwned bool
}

// made is what such a host tells of what it made.
type made struct{ Context, Page string }

// hostToBeKilled makes a page in a browser that is not its own, tells of it, and
// waits for its end.
func hostToBeKilled(arg string) error {
	var k toBeKilled
	if err := json.Unmarshal([]byte(arg), &k); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	s := spec(k.URL)
	s.UserOwned = k.UserOwned
	l, err := link.Open(ctx, s, link.Options{JournalDir: k.Dir})
	if err != nil {
		return err
	}
	m, err := l.Join(telling{&view{}})
	if err != nil {
		return err
	}
	page, err := m.OpenPage(ctx)
	if err != nil {
		return err
	}
	if err := json.NewEncoder(os.Stdout).Encode(made{m.Context(), page}); err != nil {
		return err
	}
	<-ctx.Done()
	return ctx.Err()
}

// telling is a view that tells of the dialogs that open.
type telling struct{ *view }

func (v telling) Event(_ link.Target, ev cdp.Event) {
	if ev.Method == "Page.javascriptDialogOpening" {
		fmt.Println("{}")
	}
}

// killed runs such a host until then says that it may be killed; opened waits for
// a dialog on the host's page.
func killed(t *testing.T, k toBeKilled, then func(m made, opened func())) made {
	t.Helper()
	arg, err := json.Marshal(k)
	if err != nil {
		t.Fatal(err)
	}
	host := exec.Command(os.Args[0])
	host.Env = append(os.Environ(), hostEnv+"="+string(arg))
	host.Stderr = os.Stderr
	out, err := host.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := host.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = host.Wait() }()
	defer func() { _ = host.Process.Kill() }()
	told := json.NewDecoder(out)
	var got made
	if err := told.Decode(&got); err != nil {
		t.Fatalf("the host: %v", err)
	}
	then(got, func() {
		if err := told.Decode(&struct{}{}); err != nil {
			t.Fatalf("the host tells of no dialog: %v", err)
		}
	})
	return got
}

func journals(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func contexts(t *testing.T, url string) string {
	t.Helper()
	c := cdptest.Dial(t, url)
	defer c.Close()
	return string(c.Must(t, "", "Target.getBrowserContexts", nil)) + string(c.Must(t, "", "Target.getTargets", nil))
}

// TestWhatAKilledHostLeft is disposed of by the next one that comes to the
// browser, also with a dialog open that is deadly to close carelessly.
func TestWhatAKilledHostLeft(t *testing.T) {
	t.Parallel()
	browser := cdptest.Chrome(t)
	site := cdptest.Site(t, cdptest.Hosts{
		"a.test": cdptest.Paths{"/": `<iframe id=f src="http://b.test:{{port}}/"></iframe>`, "/plain": "<p>"},
		"b.test": cdptest.Paths{"/": `<script>setTimeout(()=>confirm("deadly"),50)</script>`},
	})
	// dialog opens one on the host's page. The second client that drives the page
	// never turns its Page domain on.
	dialog := func(path, expression string, left bool) func(*testing.T, made, func()) {
		return func(t *testing.T, m made, opened func()) {
			c := cdptest.Dial(t, browser.WSURL)
			defer c.Close()
			s := cdptest.Field(c.Must(t, "", "Target.attachToTarget", cdptest.M{"targetId": m.Page, "flatten": true}), "sessionId")
			c.Must(t, s, "Page.navigate", cdptest.M{"url": site.URL("a.test", path)})
			if expression != "" {
				c.Send(cdptest.Command{SessionID: s, Method: "Runtime.evaluate", Params: cdptest.M{"expression": expression}})
			}
			opened()
			if left {
				c.Send(cdptest.Command{SessionID: s, Method: "Runtime.evaluate", Params: cdptest.M{"expression": `document.getElementById("f").remove()`}})
				eventually(t, "the frame is gone", func() bool {
					return !strings.Contains(string(c.Must(t, "", "Target.getTargets", cdptest.M{"filter": []cdptest.M{{}}})), "//b.test")
				})
			}
		}
	}
	for _, tc := range []struct {
		name      string
		userOwned bool
		arrange   func(*testing.T, made, func())
	}{
		{"a context", false, func(*testing.T, made, func()) {}},
		{"a tab in a user's browser", true, func(*testing.T, made, func()) {}},
		{"a context with a dialog", false, dialog("/plain", `confirm("open")`, false)},
		{"a tab with a dialog in a user's browser", true, dialog("/plain", `confirm("open")`, false)},
		{"a context with the dialog of a frame in another process", false, dialog("/", "", false)},
		{"a tab with such a dialog in a user's browser", true, dialog("/", "", false)},
		{"a context with the dialog of a frame that is gone", false, dialog("/", "", true)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			left := killed(t, toBeKilled{browser.WSURL, dir, tc.userOwned}, func(m made, opened func()) {
				files := journals(t, dir)
				if len(files) != 1 {
					t.Fatalf("journals: %v", files)
				}
				if info, err := os.Stat(files[0]); err != nil || info.Mode().Perm()&0o077 != 0 {
					t.Errorf("journal: %v, %v", info, err)
				}
				// While its owner lives, nobody touches what is in it.
				if err := open(t, spec(browser.WSURL), link.Options{JournalDir: dir, NoStandby: true}).Close(); err != nil {
					t.Error(err)
				}
				if !strings.Contains(contexts(t, browser.WSURL), m.Page) {
					t.Error("what a living host made was taken away")
				}
				tc.arrange(t, m, opened)
			})
			users := cdptest.NewContextAt(t, browser.WSURL).NewTab(t)
			// A link to another browser leaves it alone, and so does its journal.
			other := cdptest.New(t, cdptest.Options{})
			open(t, spec(other.URL()), link.Options{JournalDir: dir, NoStandby: true})
			if n := len(journals(t, dir)); n != 1 {
				t.Errorf("%d journals after a visit to another browser", n)
			}
			open(t, spec(browser.WSURL), link.Options{JournalDir: dir, NoStandby: true})
			eventually(t, "what was left is gone", func() bool {
				here := contexts(t, browser.WSURL)
				return !strings.Contains(here, left.Page) && (left.Context == "" || !strings.Contains(here, left.Context))
			})
			if files := journals(t, dir); len(files) != 0 {
				t.Errorf("journals left: %v", files)
			}
			if got := users.Eval(t, "1+1"); got != "2" {
				t.Errorf("the user's tab says %q", got)
			}
			select {
			case <-browser.Done():
				t.Fatal("the browser is gone")
			default:
			}
		})
	}
}
