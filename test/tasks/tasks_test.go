package tasks

import (
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
	"testing"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/endpoint"
	"cdphost/host/server"
	"cdphost/host/supervisor"
)

// solver reaches the goal of a page that the agent has open.
type solver func(*agent)

// solvers holds a solver for each page. Each file of solvers adds its own.
var solvers = make(map[string]solver)

func solve(name string, s solver) struct{} {
	solvers[name] = s
	return struct{}{}
}

var browserSet sync.Once

func setBrowser(u endpoint.URL) { browserSet.Do(func() { shared.browser = u }) }

func forget(taskID string) {
	shared.registry.Forget(context.Background(), supervisor.Key{Caller: server.LocalCaller, TaskID: taskID})
}

// parts of other pages are no tasks of their own.
func names(t *testing.T) []string {
	t.Helper()
	found, err := fs.Glob(Pages, "pages/*.html")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range found {
		out = append(out, strings.TrimSuffix(path.Base(f), ".html"))
	}
	return out
}

func TestTasks(t *testing.T) {
	t.Parallel()
	pages, err := fs.Sub(Pages, "pages")
	if err != nil {
		t.Fatal(err)
	}
	site := cdptest.Site(t, cdptest.Hosts{"*": http.FileServerFS(pages)})
	for _, name := range names(t) {
		s, ok := solvers[name]
		if !ok {
			t.Errorf("nobody solves %s", name)
			continue
		}
		for _, seed := range seeds {
			t.Run(fmt.Sprintf("%s/%d", name, seed), func(t *testing.T) {
				t.Parallel()
				a := newAgent(t, fmt.Sprintf("%s-%d", name, seed))
				a.open(site.URL("a.test", fmt.Sprintf("/%s.html?seed=%d", name, seed)))
				s(a)
				a.rewarded()
			})
		}
	}
}
