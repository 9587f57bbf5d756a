package frame_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"cdphost/host/frame"
)

// TestChurn makes and removes frames of all kinds 10,000 times: nothing may stay.
func TestChurn(t *testing.T) {
	t.Parallel()
	table := contract(t)
	want := ids(table.Freeze())
	indexed := frame.Indexed(table)
	for i := range 10_000 {
		id, session := fmt.Sprint("X", i), fmt.Sprint("SX", i)
		apply(t, table, "SID_A", "Page.frameAttached", attached(id, "FRAME_B"))
		apply(t, table, "SID_A", "Runtime.executionContextCreated", context(i, "u"+id, "http://a.test", "", id, true))
		apply(t, table, "SID_A", "Runtime.executionContextCreated", context(i, "w"+id, "http://a.test", "w", id, false))
		if i%2 == 0 {
			table.Attached(session, id, "FRAME_B", "")
			apply(t, table, session, "Runtime.executionContextCreated", context(1, "v"+id, "http://b.test", "", id, true))
			apply(t, table, session, "Page.frameAttached", attached(id+"c", id))
		}
		apply(t, table, "SID_A", "Page.frameDetached", fmt.Sprintf(`{"frameId":%q,"reason":"remove"}`, id))
		if i%4 == 0 {
			table.Detached(session)
		}
		if i%100 == 0 {
			table.Freeze()
		}
	}
	wantIDs(t, table, want...)
	if n := frame.Indexed(table); n != indexed {
		t.Errorf("%d entries in the indexes, %d before", n, indexed)
	}
}

func TestFull(t *testing.T) {
	t.Parallel()
	table := frame.NewTable("T", "S")
	frame.Limit(table, 5)
	for i := range 9 {
		apply(t, table, "S", "Page.frameAttached", attached(fmt.Sprint("F", i), "T"))
	}
	apply(t, table, "S", "Page.frameNavigated", navigated("F8", "T", "L", "http://a.test/", ""))
	apply(t, table, "S", "Page.frameNavigated", navigated("F8", "unknown", "L", "http://a.test/", ""))
	apply(t, table, "S", "Page.navigatedWithinDocument", `{"frameId":"F8","url":"http://a.test/","navigationType":"other"}`)
	apply(t, table, "S", "Page.documentOpened", navigated("F8", "T", "L", "http://a.test/", ""))
	apply(t, table, "S", "Runtime.executionContextCreated", context(1, "u", "", "", "F8", true))
	table.Attached("S8", "F8", "T", "")
	wantIDs(t, table, "T", "F0", "F1", "F2", "F3")
	z := table.Freeze()
	if z.Dropped() == 0 || !z.Tree(frame.Limits{}).Truncated {
		t.Error("the table does not say that frames are missing")
	}
	tree := `{"frameTree":{"frame":{"id":"T","loaderId":"L","url":"http://a.test/"},"childFrames":[`
	for i := range 9 {
		tree += fmt.Sprintf(`{"frame":{"id":"G%d","parentId":"T","loaderId":"L","url":"http://a.test/"}},`, i)
	}
	seed(t, table, "S", tree[:len(tree)-1]+`]}}`)
	wantIDs(t, table, "T", "G0", "G1", "G2", "G3")
	if d := table.Freeze().Dropped(); d != 5 {
		t.Errorf("%d dropped, want 5", d)
	}
	seed(t, table, "S", `{"frameTree":{"frame":{"id":"T","loaderId":"L","url":"http://a.test/"}}}`)
	if d := table.Freeze().Dropped(); d != 0 {
		t.Errorf("%d dropped after a tree that fits", d)
	}
}

func seed(t *testing.T, table *frame.Table, session, tree string) {
	t.Helper()
	if err := table.Seed(session, []byte(tree)); err != nil {
		t.Fatal(err)
	}
	frame.Verify(t, table)
}

func TestFreeze(t *testing.T) {
	t.Parallel()
	table := contract(t)
	z := table.Freeze()
	if table.Freeze() != z {
		t.Error("another view though nothing changed")
	}
	before := string(z.AppendJSON(nil, frame.Limits{}))
	first := ids(z)
	apply(t, table, "SID_A", "Page.frameAttached", attached("FRAME_A0", "FRAME_B"))
	apply(t, table, "SID_A", "Page.navigatedWithinDocument", `{"frameId":"FRAME_A","url":"http://x/","navigationType":"other"}`)
	table.Detached("SID_C")
	table.Reset()
	apply(t, table, "SID_A", "Page.frameNavigated", navigated("ANOTHER", "", "L9", "http://x/", "http://x"))
	if table.Freeze() == z {
		t.Error("the same view though something changed")
	}
	if d := cmp.Diff(before, string(z.AppendJSON(nil, frame.Limits{}))) + cmp.Diff(first, ids(z)); d != "" {
		t.Errorf("a frozen view changed:\n%s", d)
	}
	for range z.Frames() {
		break
	}
}

//nolint:paralleltest // AllocsPerRun counts the whole process
func TestFreezeAllocs(t *testing.T) {
	table := contract(t)
	if n := testing.AllocsPerRun(100, func() { table.Freeze().SessionOf("FRAME_B") }); n != 0 {
		t.Errorf("%v allocations to read what is frozen", n)
	}
}

// TestSeedOrder: an OOPIF is not in its parent's tree, and keeps its place.
func TestSeedOrder(t *testing.T) {
	t.Parallel()
	f := func(id string) string {
		return fmt.Sprintf(`{"frame":{"id":%q,"parentId":"T","loaderId":"L","url":"http://a.test/"}}`, id)
	}
	tree := func(children string) string {
		return `{"frameTree":{"frame":{"id":"T","loaderId":"L","url":"http://a.test/"},"childFrames":[` + children + `]}}`
	}
	for _, tc := range []struct {
		name     string
		children string
		want     []string
	}{
		{"same", f("A") + "," + f("C"), []string{"T", "O", "A", "P", "P1", "C"}},
		{"reversed", f("C") + "," + f("A"), []string{"T", "O", "C", "A", "P", "P1"}},
		{"one gone", f("C"), []string{"T", "O", "P", "P1", "C"}},
		{"one new", f("A") + "," + f("N") + "," + f("C"), []string{"T", "O", "A", "P", "P1", "N", "C"}},
		{"twice", f("A") + "," + f("A") + "," + f("T"), []string{"T", "O", "A", "P", "P1"}},
		{"late for one that left", f("A") + "," + f("P") + "," + f("C"), []string{"T", "O", "A", "P", "P1", "C"}},
		{"empty", "", []string{"T", "O", "P", "P1"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			table := frame.NewTable("T", "S")
			for _, id := range []string{"O", "A", "P", "C"} {
				apply(t, table, "S", "Page.frameAttached", attached(id, "T"))
			}
			table.Attached("SO", "O", "T", "")
			table.Attached("SP", "P", "T", "")
			apply(t, table, "SP", "Page.frameAttached", attached("P1", "P"))
			seed(t, table, "S", tree(tc.children))
			got := ids(table.Freeze())
			if d := cmp.Diff(tc.want, got); d != "" {
				t.Errorf("order (-want +got):\n%s", d)
			}
			wantSession(t, table, "P1", "SP")
		})
	}
}

// TestSeedBelowUnknown: a nested OOPIF is attached before its parent, a local frame
// of another OOPIF, is known from anywhere.
func TestSeedBelowUnknown(t *testing.T) {
	t.Parallel()
	table := frame.NewTable("T", "S")
	table.Attached("SA", "A", "T", "http://a.test/")
	table.Attached("SG", "G", "L", "http://g.test/")
	seed(t, table, "S", `{"frameTree":{"frame":{"id":"T","loaderId":"L1","url":"http://t.test/"}}}`)
	seed(t, table, "SA", `{"frameTree":{"frame":{"id":"A","parentId":"T","loaderId":"L2","url":"http://a.test/"},"childFrames":[
		{"frame":{"id":"L","parentId":"A","loaderId":"L3","url":"http://a.test/l"}},{"frame":{"id":"T","parentId":"A","loaderId":"L3","url":"x"}}]}}`)
	wantIDs(t, table, "T", "A", "L", "G")
	wantSession(t, table, "G", "SG")
	wantSession(t, table, "L", "SA")
	seed(t, table, "nobody", `{"frameTree":{"frame":{"id":"G","parentId":"L","loaderId":"L2","url":"http://evil.test/"}}}`)
	if f, _ := table.Freeze().Lookup("G"); f.URL != "http://g.test/" {
		t.Errorf("a session took another's frame: %+v", f)
	}
}

func TestUnknownTop(t *testing.T) {
	t.Parallel()
	table := frame.NewTable("", "")
	table.Attached("S", "T", "", "")
	wantIDs(t, table, "T")
	wantSession(t, table, "T", "S")
	table = frame.NewTable("", "S")
	seed(t, table, "S", `{"frameTree":{"frame":{"id":"T","loaderId":"L1","url":"http://t.test/"}}}`)
	wantIDs(t, table, "T")
	wantSession(t, table, "T", "S")
}

// TestRandom applies random events of a small world, in any order, and checks that
// the parts of the table agree and that frozen views stay.
func TestRandom(t *testing.T) {
	t.Parallel()
	for s := range uint64(40) {
		random(t, rand.New(rand.NewPCG(s, 1)), 600)
	}
}

func FuzzTable(f *testing.F) {
	f.Add(uint64(1), uint16(50))
	f.Fuzz(func(t *testing.T, s uint64, n uint16) { random(t, rand.New(rand.NewPCG(s, 2)), int(n%500)) })
}

func random(t *testing.T, r *rand.Rand, n int) {
	t.Helper()
	table := frame.NewTable("F0", "S0")
	frame.Limit(table, 12)
	id := func() string { return fmt.Sprint("F", r.IntN(16)) }
	session := func() string { return fmt.Sprint("S", r.IntN(6)) }
	parent := func() string {
		if r.IntN(8) == 0 {
			return ""
		}
		return id()
	}
	var trees func(depth int) string
	trees = func(depth int) string {
		s := fmt.Sprintf(`{"frame":{"id":%q,"parentId":%q,"loaderId":"L%d","url":"http://a.test/"},"childFrames":[`, id(), parent(), r.IntN(9))
		for i := range r.IntN(4) {
			if depth == 3 {
				break
			}
			if i > 0 {
				s += ","
			}
			s += trees(depth + 1)
		}
		return s + "]}"
	}
	for range n {
		z := table.Freeze()
		before := string(z.AppendJSON(nil, frame.Limits{MaxChildren: -1, MaxOOPIFDepth: -1}))
		switch r.IntN(14) {
		case 0, 1, 2:
			apply(t, table, session(), "Page.frameAttached", attached(id(), parent()))
		case 3:
			apply(t, table, session(), "Page.frameNavigated", navigated(id(), parent(), fmt.Sprint("L", r.IntN(9)), "http://a.test/", ""))
		case 4:
			kind := []string{"remove", "swap"}[r.IntN(2)]
			apply(t, table, session(), "Page.frameDetached", fmt.Sprintf(`{"frameId":%q,"reason":%q}`, id(), kind))
		case 5, 6:
			table.Attached(session(), id(), parent(), []string{"", "http://b.test/"}[r.IntN(2)])
		case 7:
			table.Detached(session())
		case 8:
			seed(t, table, session(), `{"frameTree":`+trees(0)+`}`)
		case 9, 10:
			u := r.IntN(20)
			apply(t, table, session(), "Runtime.executionContextCreated", context(u, fmt.Sprint("u", u), "http://a.test", fmt.Sprint("w", r.IntN(3)), id(), r.IntN(2) == 0))
		case 11:
			u := r.IntN(20)
			apply(t, table, session(), "Runtime.executionContextDestroyed", destroyed(u, fmt.Sprint("u", u)))
		case 12:
			switch r.IntN(4) {
			case 0:
				table.Reset()
			case 1:
				apply(t, table, session(), "Runtime.executionContextsCleared", `{}`)
			case 2:
				apply(t, table, session(), "Inspector.targetCrashed", `{}`)
			case 3:
				ev := navigated(id(), parent(), fmt.Sprint("L", r.IntN(9)), "http://a.test/", "")
				apply(t, table, session(), "Page.frameNavigated", strings.Replace(ev, `"Navigation"`, `"BackForwardCacheRestore"`, 1))
			}
		case 13:
			apply(t, table, session(), "Page.documentOpened", navigated(id(), parent(), "L1", "http://c.test/", ""))
		}
		frame.Verify(t, table)
		if got := string(z.AppendJSON(nil, frame.Limits{MaxChildren: -1, MaxOOPIFDepth: -1})); got != before {
			t.Fatalf("a frozen view changed:\n%s", cmp.Diff(before, got, cmpopts.EquateEmpty()))
		}
		after := table.Freeze()
		if after != z {
			continue
		}
		if got := string(after.AppendJSON(nil, frame.Limits{MaxChildren: -1, MaxOOPIFDepth: -1})); got != before {
			t.Fatal("a change that nobody sees")
		}
	}
}
