package frame_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"cdphost/host/frame"
)

func context(id int, unique, origin, name, frameID string, isDefault bool) string {
	return fmt.Sprintf(`{"context":{"id":%d,"uniqueId":%q,"origin":%q,"name":%q,"auxData":{"isDefault":%v,"frameId":%q}}}`,
		id, unique, origin, name, isDefault, frameID)
}

func destroyed(id int, unique string) string {
	return fmt.Sprintf(`{"executionContextId":%d,"executionContextUniqueId":%q}`, id, unique)
}

func TestContexts(t *testing.T) {
	t.Parallel()
	const created, gone, cleared = "Runtime.executionContextCreated", "Runtime.executionContextDestroyed", "Runtime.executionContextsCleared"
	base := []step{
		{session: "S", method: created, params: context(1, "u1", "http://a.test", "", "T", true)},
		{session: "S", method: created, params: context(2, "u2", "http://a.test", "utility", "T", false)},
		{session: "S", method: created, params: context(3, "u3", "http://a.test", "other", "T", false)},
		{do: attach("SF", "F", "T", "")},
		{session: "SF", method: created, params: context(1, "v1", "://", "", "F", true)},
	}
	type want struct {
		context string
		id      int64
		worlds  []frame.World
	}
	utility, other := frame.World{Name: "utility", UniqueID: "u2", ID: 2}, frame.World{Name: "other", UniqueID: "u3", ID: 3}
	for _, tc := range []struct {
		name   string
		steps  []step
		top, f want
	}{
		{"created", nil, want{"u1", 1, []frame.World{utility, other}}, want{"v1", 1, nil}},
		{"one destroyed", []step{{session: "S", method: gone, params: destroyed(2, "u2")}}, want{"u1", 1, []frame.World{other}}, want{"v1", 1, nil}},
		{"default destroyed", []step{{session: "S", method: gone, params: destroyed(1, "u1")}}, want{"", 0, []frame.World{utility, other}}, want{"v1", 1, nil}},
		{"destroyed by id alone", []step{{session: "SF", method: gone, params: `{"executionContextId":1}`}}, want{"u1", 1, []frame.World{utility, other}}, want{}},
		{"unknown destroyed", []step{{session: "S", method: gone, params: destroyed(9, "u9")}}, want{"u1", 1, []frame.World{utility, other}}, want{"v1", 1, nil}},
		{"cleared", []step{{session: "S", method: cleared, params: `{}`}}, want{}, want{"v1", 1, nil}},
		{"nothing to clear", []step{{session: "X", method: cleared, params: `{}`}}, want{"u1", 1, []frame.World{utility, other}}, want{"v1", 1, nil}},
		{"successor", []step{
			{session: "S", method: created, params: context(4, "u4", "http://a.test", "", "T", true)},
			{session: "S", method: gone, params: destroyed(1, "u1")},
		}, want{"u4", 4, []frame.World{utility, other}}, want{"v1", 1, nil}},
		{"world of the same name", []step{
			{session: "S", method: created, params: context(4, "u4", "http://a.test", "utility", "T", false)},
			{session: "S", method: gone, params: destroyed(2, "u2")},
		}, want{"u1", 1, []frame.World{{Name: "utility", UniqueID: "u4", ID: 4}, other}}, want{"v1", 1, nil}},
		{"session lost", []step{{do: detach("SF")}}, want{"u1", 1, []frame.World{utility, other}}, want{}},
		{"crash", []step{{session: "S", method: "Inspector.targetCrashed", params: `{}`}}, want{}, want{}},
		{"reset", []step{{do: func(t *frame.Table) frame.Change { t.Reset(); return frame.Change{} }}}, want{}, want{}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			table := frame.NewTable("T", "S")
			for _, s := range append(base[:len(base):len(base)], tc.steps...) {
				if s.do != nil {
					s.do(table)
				} else {
					apply(t, table, s.session, s.method, s.params)
				}
				frame.Verify(t, table)
			}
			z := table.Freeze()
			for id, w := range map[string]want{"T": tc.top, "F": tc.f} {
				f, _ := z.Lookup(id)
				got := want{f.DefaultContext, f.DefaultContextID, f.Worlds}
				if d := cmp.Diff(w, got, cmp.AllowUnexported(want{}), cmpopts.IgnoreUnexported(frame.World{}), cmpopts.EquateEmpty()); d != "" {
					t.Errorf("frame %s (-want +got):\n%s", id, d)
				}
			}
		})
	}
}

func TestWorldLookup(t *testing.T) {
	t.Parallel()
	table := frame.NewTable("T", "S")
	for i := range 100 {
		apply(t, table, "S", "Runtime.executionContextCreated", context(i, fmt.Sprint("u", i), "", fmt.Sprint("w", i), "T", false))
		frame.Verify(t, table)
	}
	top := table.Freeze().Top()
	if w, ok := top.World("w7"); !ok || w.UniqueID != "u7" {
		t.Errorf("world w7 is %+v, %v", w, ok)
	}
	if _, ok := top.World("nobody"); ok || len(top.Worlds) != 32 {
		t.Errorf("%d worlds", len(top.Worlds))
	}
}

// TestContextOrigin: a sandboxed document has an opaque origin, whatever its
// frame's securityOrigin says.
func TestContextOrigin(t *testing.T) {
	t.Parallel()
	table := frame.NewTable("T", "S")
	apply(t, table, "S", "Page.frameNavigated", navigated("T", "", "L", "http://a.test/", "http://a.test"))
	apply(t, table, "S", "Runtime.executionContextCreated", context(1, "u1", "://", "", "T", true))
	if o := table.Freeze().Top().Origin; o != "null" {
		t.Errorf("origin %q", o)
	}
	apply(t, table, "S", "Runtime.executionContextsCleared", `{}`)
	apply(t, table, "S", "Page.frameNavigated", navigated("T", "", "L2", "http://b.test/", "http://b.test"))
	if o := table.Freeze().Top().Origin; o != "http://b.test" {
		t.Errorf("origin %q", o)
	}
}
