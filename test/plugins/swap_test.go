//go:build unix

package plugins

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"syscall"
	"testing"

	"cdphost/host/cdp/cdptest"
)

const (
	loadTasks   = 4
	loadDialogs = 50 // of each task
	swaps       = 6
	kills       = 3 // fewer than the budget of restarts in a row
)

// load asks again and again, and keeps what it was told.
var load = fmt.Sprintf(`<title>running</title><script>
let n = 0;
const told = [];
const ask = () => {
  told.push(confirm("dialog " + n++));
  if (n < %d) setTimeout(ask, 0); else document.title = "done";
};
setTimeout(ask, 0);
</script>`, loadDialogs)

// TestSwapAndKillUnderLoad decides 200 dialogs while the policy is swapped by
// edits of config.yaml and killed at random. What the pages were told, what the
// host recorded and how often must agree: none is lost or answered twice.
func TestSwapAndKillUnderLoad(t *testing.T) {
	t.Parallel()
	site := cdptest.Site(t, cdptest.Hosts{"*": cdptest.Paths{"/": load}})
	config := func(do string) string { return browser("quiet-hours") + quietHours(do) + audit(`"Host.*"`) }
	h := serve(t, config("dismiss"))
	a := h.agent()

	var loaders sync.WaitGroup
	for i := range loadTasks {
		loaders.Go(func() {
			a.call("browser_navigate", object{"task_id": task(i), "url": site.URL("a.test", "/"), "wait": "commit"})
		})
	}

	// What is done, and after how many dialogs, is drawn once.
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	type step struct{ after, kind int }
	const swap, kill = 0, 1
	var steps []step
	const all = loadTasks * loadDialogs
	for i := range swaps {
		steps = append(steps, step{i * all / swaps, swap})
		if i < kills {
			steps = append(steps, step{i*all/swaps + random.IntN(all/swaps), kill})
		}
	}
	do, swapped := "dismiss", 0
	for _, s := range steps {
		h.until(fmt.Sprintf("%d dialogs are closed", s.after), func() bool { return count(h.journal(), "Host.dialogClosed") >= s.after })
		switch s.kind {
		case swap:
			if do == "dismiss" {
				do = "accept"
			} else {
				do = "dismiss"
			}
			swapped++
			h.configure(config(do))
			h.until("the policy was swapped", func() bool { return count(h.journal(), "Host.configSwapped") == swapped })
		case kill:
			if pid := h.plugins()["quiet-hours"].PID; pid != 0 {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
	}
	loaders.Wait()
	h.until("all dialogs are closed and recorded", func() bool { return count(h.journal(), "Host.dialogClosed") >= all })

	told := map[string][]bool{}
	for i := range loadTasks {
		h.until(task(i)+" is done", func() bool { return a.title(task(i)) == "done" })
		raw, _ := a.evaluate(task(i), "JSON.stringify(told)").(string)
		var answers []bool
		if err := json.Unmarshal([]byte(raw), &answers); err != nil || len(answers) != loadDialogs {
			t.Errorf("%s was told %s (%v)", task(i), raw, err)
		}
		told[task(i)] = answers
	}
	checkRecord(t, h.journal(), told)
	s := h.plugins()
	if got := s["quiet-hours"]; got.Health != "ok" || got.Restarts == 0 || got.Restarts > kills {
		t.Errorf("the policy: %+v", got)
	}
	if got := s["audit"]; got.Generation != 1 || got.Restarts != 0 || got.Dropped != 0 {
		t.Errorf("a plugin that nobody changed: %+v", got)
	}
	if strings.Contains(h.log.String(), "panic") {
		t.Error("the host's log tells of a panic")
	}
}

func task(i int) string { return fmt.Sprintf("task-%d", i) }

// checkRecord compares what was recorded with what the pages were told.
func checkRecord(t *testing.T, journal []entry, told map[string][]bool) {
	t.Helper()
	type dialog struct {
		ID       string `json:"id"`
		Message  string `json:"message"`
		ClosedBy string `json:"closed_by"`
		Action   string `json:"action"`
	}
	opened, closed := map[string]map[string]int{}, map[string][]dialog{}
	for _, e := range journal {
		var d dialog
		if e.Event != "Host.dialogOpened" && e.Event != "Host.dialogClosed" {
			continue
		}
		if err := json.Unmarshal(e.Params, &d); err != nil {
			t.Fatal(err)
		}
		if e.Event == "Host.dialogClosed" {
			closed[e.Task] = append(closed[e.Task], d)
			continue
		}
		if opened[e.Task] == nil {
			opened[e.Task] = map[string]int{}
		}
		opened[e.Task][d.ID]++
	}
	for name, answers := range told {
		if len(opened[name]) != len(answers) || len(closed[name]) != len(answers) {
			t.Errorf("%s: %d dialogs were opened and %d closed, of %d", name, len(opened[name]), len(closed[name]), len(answers))
			continue
		}
		seen := map[string]bool{}
		for i, d := range closed[name] {
			if seen[d.ID] || opened[name][d.ID] != 1 {
				t.Errorf("%s: %s was opened %d times, and closed before: %v", name, d.ID, opened[name][d.ID], seen[d.ID])
			}
			seen[d.ID] = true
			if d.Message != fmt.Sprintf("dialog %d", i) || d.ClosedBy != "auto_policy" || (d.Action == "accept") != answers[i] {
				t.Errorf("%s: the page was told %v, recorded is %+v", name, answers[i], d)
			}
		}
	}
	if n := count(journal, "Host.configSwapped"); n != swaps {
		t.Errorf("%d swaps were published, of %d", n, swaps)
	}
}
