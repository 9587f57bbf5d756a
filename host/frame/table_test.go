package frame_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"cdphost/host/frame"
)

func ids(z *frame.Frozen) (ids []string) {
	for f := range z.Frames() {
		ids = append(ids, f.ID)
	}
	return ids
}

func wantIDs(t *testing.T, table *frame.Table, want ...string) {
	t.Helper()
	frame.Verify(t, table)
	if d := cmp.Diff(want, ids(table.Freeze())); d != "" {
		t.Errorf("frames (-want +got):\n%s", d)
	}
}

func wantSession(t *testing.T, table *frame.Table, id, session string) {
	t.Helper()
	if got, ok := table.Freeze().SessionOf(id); got != session || ok != (session != "") {
		t.Errorf("SessionOf(%s) = %q, %v, want %q", id, got, ok, session)
	}
}

// step is one event, or one of the calls that stand for target events.
type step struct {
	session, method, params string
	do                      func(*frame.Table) frame.Change
	want                    frame.Change
}

func attach(session, id, parent, url string) func(*frame.Table) frame.Change {
	return func(t *frame.Table) frame.Change { return t.Attached(session, id, parent, url) }
}

func detach(session string) func(*frame.Table) frame.Change {
	return func(t *frame.Table) frame.Change { return t.Detached(session) }
}

// TestChanges follows what each event says, in the orders that Chromium has and in
// some that older ones had.
func TestChanges(t *testing.T) {
	t.Parallel()
	toRemote := []step{
		{session: "S", method: "Page.frameAttached", params: attached("F", "T"), want: frame.Change{Kind: frame.Attached, Frame: "F"}},
		{session: "S", method: "Page.frameAttached", params: attached("G", "T"), want: frame.Change{Kind: frame.Attached, Frame: "G"}},
		{session: "S", method: "Page.frameStartedNavigating", params: `{"frameId":"F","loaderId":"L2","url":"http://b.test/","navigationType":"differentDocument"}`,
			want: frame.Change{Kind: frame.Started, Frame: "F", LoaderID: "L2", URL: "http://b.test/"}},
		{do: attach("SF", "F", "T", ""), want: frame.Change{Kind: frame.Sessions, Frame: "F"}},
		{session: "SF", method: "Page.frameNavigated", params: navigated("F", "T", "L2", "http://b.test/", "http://b.test"),
			want: frame.Change{Kind: frame.Navigated, Frame: "F", LoaderID: "L2", URL: "http://b.test/"}},
		{session: "S", method: "Page.frameDetached", params: `{"frameId":"F","reason":"swap"}`, want: frame.Change{Kind: frame.Swapped, Frame: "F"}},
		{session: "SF", method: "Page.frameAttached", params: attached("F1", "F"), want: frame.Change{Kind: frame.Attached, Frame: "F1"}},
	}
	for _, tc := range []struct {
		name   string
		steps  []step
		frames []string
		check  func(*testing.T, *frame.Table)
	}{
		{"local to remote", toRemote, []string{"T", "F", "F1", "G"}, func(t *testing.T, table *frame.Table) {
			wantSession(t, table, "F1", "SF")
			wantSession(t, table, "G", "S")
		}},
		{"remote to local", append(slices.Clip(toRemote),
			step{do: detach("SF"), want: frame.Change{Kind: frame.Sessions, Frame: "F", Gone: []string{"F1"}}},
			step{session: "S", method: "Page.frameAttached", params: attached("F", "T"), want: frame.Change{Kind: frame.Attached, Frame: "F"}},
			step{session: "S", method: "Page.frameNavigated", params: navigated("F", "T", "L3", "http://a.test/", "http://a.test"),
				want: frame.Change{Kind: frame.Navigated, Frame: "F", LoaderID: "L3", URL: "http://a.test/"}},
		), []string{"T", "F", "G"}, func(t *testing.T, table *frame.Table) {
			wantSession(t, table, "F", "S")
			if f, _ := table.Freeze().Lookup("F"); f.OOPIF || f.SessionID != "" {
				t.Errorf("a local frame is %+v", f)
			}
		}},
		{"remote to local, detached last", append(slices.Clip(toRemote),
			step{session: "S", method: "Page.frameAttached", params: attached("F", "T"), want: frame.Change{Kind: frame.Attached, Frame: "F", Gone: []string{"F1"}}},
			step{session: "S", method: "Page.frameNavigated", params: navigated("F", "T", "L3", "http://a.test/", "http://a.test"),
				want: frame.Change{Kind: frame.Navigated, Frame: "F", LoaderID: "L3", URL: "http://a.test/"}},
			step{session: "S", method: "Page.frameAttached", params: attached("F2", "F"), want: frame.Change{Kind: frame.Attached, Frame: "F2"}},
			step{do: detach("SF"), want: frame.Change{}},
		), []string{"T", "F", "F2", "G"}, func(t *testing.T, table *frame.Table) { wantSession(t, table, "F2", "S") }},
		{"detached, not yet local", append(slices.Clip(toRemote),
			step{do: detach("SF"), want: frame.Change{Kind: frame.Sessions, Frame: "F", Gone: []string{"F1"}}},
		), []string{"T", "F", "G"}, func(t *testing.T, table *frame.Table) { wantSession(t, table, "F", "") }},
		{"removed", append(slices.Clip(toRemote),
			step{session: "S", method: "Page.frameSubtreeWillBeDetached", params: `{"frameId":"F"}`, want: frame.Change{}},
			step{session: "S", method: "Page.frameDetached", params: `{"frameId":"F","reason":"remove"}`, want: frame.Change{Kind: frame.Removed, Frame: "F", Gone: []string{"F", "F1"}}},
			step{do: detach("SF"), want: frame.Change{}},
		), []string{"T", "G"}, nil},
		{"its old process lets go", append(slices.Clip(toRemote),
			step{session: "SF", method: "Page.frameDetached", params: `{"frameId":"F","reason":"remove"}`, want: frame.Change{}},
		), []string{"T", "F", "F1", "G"}, nil},
		{"late event of the old process", append(slices.Clip(toRemote),
			step{session: "S", method: "Page.frameNavigated", params: navigated("F", "T", "L1", "http://a.test/old", "http://a.test"), want: frame.Change{}},
			step{session: "S", method: "Runtime.executionContextCreated", params: context(7, "u7", "http://a.test", "", "F", true), want: frame.Change{}},
		), []string{"T", "F", "F1", "G"}, func(t *testing.T, table *frame.Table) {
			if f, _ := table.Freeze().Lookup("F"); f.URL != "http://b.test/" || f.DefaultContext != "" {
				t.Errorf("the frame took %+v", f)
			}
		}},
		{"top navigates", append(slices.Clip(toRemote),
			step{do: detach("SF"), want: frame.Change{Kind: frame.Sessions, Frame: "F", Gone: []string{"F1"}}},
			step{session: "S", method: "Page.frameNavigated", params: navigated("T", "", "L9", "http://c.test/", "http://c.test"),
				want: frame.Change{Kind: frame.Navigated, Frame: "T", Top: true, LoaderID: "L9", URL: "http://c.test/", Gone: []string{"F", "G"}}},
		), []string{"T"}, nil},
		{"top navigates, detached last", append(slices.Clip(toRemote),
			step{session: "S", method: "Page.frameNavigated", params: navigated("T", "", "L9", "http://c.test/", "http://c.test"),
				want: frame.Change{Kind: frame.Navigated, Frame: "T", Top: true, LoaderID: "L9", URL: "http://c.test/", Gone: []string{"F", "F1", "G"}}},
			step{do: detach("SF"), want: frame.Change{}},
		), []string{"T"}, nil},
		{"another top frame", append(slices.Clip(toRemote),
			step{session: "S", method: "Page.frameNavigated", params: navigated("U", "", "L9", "http://c.test/", "http://c.test"),
				want: frame.Change{Kind: frame.Navigated, Frame: "U", Top: true, LoaderID: "L9", URL: "http://c.test/", Gone: []string{"T", "F", "F1", "G"}}},
		), []string{"U"}, func(t *testing.T, table *frame.Table) { wantSession(t, table, "U", "S") }},
		{"swap where nothing attaches", []step{
			{session: "S", method: "Page.frameAttached", params: attached("F", "T"), want: frame.Change{Kind: frame.Attached, Frame: "F"}},
			{session: "S", method: "Page.frameDetached", params: `{"frameId":"F","reason":"swap"}`, want: frame.Change{Kind: frame.Swapped, Frame: "F"}},
		}, []string{"T", "F"}, func(t *testing.T, table *frame.Table) {
			wantSession(t, table, "F", "")
			if f, _ := table.Freeze().Lookup("F"); !f.OOPIF {
				t.Error("a frame of another process is no OOPIF")
			}
		}},
		{"within the document", []step{
			{session: "S", method: "Page.navigatedWithinDocument", params: `{"frameId":"T","url":"http://a.test/#x","navigationType":"fragment"}`,
				want: frame.Change{Kind: frame.Moved, Frame: "T", Top: true, URL: "http://a.test/#x"}},
		}, []string{"T"}, nil},
		{"crash of a frame", append(slices.Clip(toRemote),
			step{session: "SF", method: "Inspector.targetCrashed", params: `{}`, want: frame.Change{Kind: frame.Crashed, Frame: "F", Gone: []string{"F1"}}},
			step{session: "SF", method: "Inspector.targetReloadedAfterCrash", params: `{}`, want: frame.Change{Kind: frame.Revived, Frame: "F"}},
		), []string{"T", "F", "G"}, func(t *testing.T, table *frame.Table) { wantSession(t, table, "F", "SF") }},
		{"crash of nobody known", []step{
			{session: "X", method: "Inspector.targetCrashed", params: `{}`, want: frame.Change{}},
			{session: "X", method: "Inspector.targetReloadedAfterCrash", params: `{}`, want: frame.Change{}},
		}, []string{"T"}, nil},
		{"unknown frames are kept", []step{
			{session: "S", method: "Page.frameNavigated", params: navigated("F", "P", "L", "http://a.test/", "http://a.test"),
				want: frame.Change{Kind: frame.Navigated, Frame: "F", LoaderID: "L", URL: "http://a.test/"}},
			{session: "S", method: "Page.frameAttached", params: attached("P", "T"), want: frame.Change{Kind: frame.Attached, Frame: "P"}},
			{session: "S", method: "Page.frameDetached", params: `{"frameId":"nobody","reason":"remove"}`, want: frame.Change{}},
			{session: "S", method: "Page.navigatedWithinDocument", params: `{"frameId":"N","url":"http://a.test/n","navigationType":"other"}`,
				want: frame.Change{Kind: frame.Moved, Frame: "N", URL: "http://a.test/n"}},
		}, []string{"T", "P", "F", "N"}, nil},
		{"a frame changes parents", []step{
			{session: "S", method: "Page.frameAttached", params: attached("A", "T"), want: frame.Change{Kind: frame.Attached, Frame: "A"}},
			{session: "S", method: "Page.frameAttached", params: attached("B", "T"), want: frame.Change{Kind: frame.Attached, Frame: "B"}},
			{session: "S", method: "Page.frameAttached", params: attached("C", "B"), want: frame.Change{Kind: frame.Attached, Frame: "C"}},
			{session: "S", method: "Page.frameAttached", params: attached("B", "A"), want: frame.Change{Kind: frame.Attached, Frame: "B"}},
			{session: "S", method: "Page.frameAttached", params: attached("A", "C"), want: frame.Change{Kind: frame.Attached, Frame: "A"}},
		}, []string{"T", "A", "B", "C"}, nil},
		{"a session that moves", append(slices.Clip(toRemote),
			step{do: attach("SF", "G", "T", ""), want: frame.Change{Kind: frame.Sessions, Frame: "G"}},
		), []string{"T", "F", "F1", "G"}, func(t *testing.T, table *frame.Table) {
			wantSession(t, table, "F", "")
			wantSession(t, table, "G", "SF")
		}},
		{"a new session for a frame", append(slices.Clip(toRemote),
			step{do: attach("SF2", "F", "T", ""), want: frame.Change{Kind: frame.Sessions, Frame: "F"}},
			step{do: detach("SF"), want: frame.Change{}},
		), []string{"T", "F", "F1", "G"}, func(t *testing.T, table *frame.Table) { wantSession(t, table, "F", "SF2") }},
		{"nothing to do with frames", []step{
			{session: "S", method: "Page.loadEventFired", params: `{"timestamp":1}`, want: frame.Change{}},
			{session: "S", method: "Runtime.executionContextCreated", params: `{"context":{"id":1,"origin":"","name":"","uniqueId":"w"}}`, want: frame.Change{}},
			{do: attach("", "F", "T", ""), want: frame.Change{}},
			{do: detach("nobody"), want: frame.Change{}},
		}, []string{"T"}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			table := frame.NewTable("T", "S")
			for i, s := range tc.steps {
				var got frame.Change
				if s.do != nil {
					got = s.do(table)
				} else {
					got = apply(t, table, s.session, s.method, s.params)
				}
				if d := cmp.Diff(s.want, got, cmpopts.EquateEmpty(), cmpopts.SortSlices(func(a, b string) bool { return a < b })); d != "" {
					t.Errorf("step %d %s (-want +got):\n%s", i, s.method, d)
				}
				frame.Verify(t, table)
			}
			wantIDs(t, table, tc.frames...)
			if tc.check != nil {
				tc.check(t, table)
			}
		})
	}
}

func TestMalformedEvents(t *testing.T) {
	t.Parallel()
	table := contract(t)
	before := table.Freeze()
	for _, method := range []string{
		"Page.frameAttached", "Page.frameNavigated", "Page.documentOpened", "Page.navigatedWithinDocument", "Page.frameStartedNavigating",
		"Page.frameDetached", "Runtime.executionContextCreated", "Runtime.executionContextDestroyed",
	} {
		if _, err := table.Apply("SID_A", method, []byte(`{"frameId":`)); err == nil {
			t.Errorf("%s: half a JSON object was taken", method)
		}
	}
	for _, method := range []string{"Page.frameAttached", "Page.frameNavigated", "Page.documentOpened", "Page.navigatedWithinDocument"} {
		if _, err := table.Apply("SID_A", method, []byte(`{}`)); err == nil {
			t.Errorf("%s: an event about no frame was taken", method)
		}
	}
	for _, tree := range []string{`{`, `{}`, `{"frameTree":{}}`, `{"frameTree":{"frame":{"id":""}}}`} {
		if err := table.Seed("SID_A", []byte(tree)); err == nil {
			t.Errorf("a frame tree %s was taken", tree)
		}
	}
	if table.Freeze() != before {
		t.Error("something changed")
	}
}

func TestStringsOfPages(t *testing.T) {
	t.Parallel()
	table := frame.NewTable("T", "S")
	apply(t, table, "S", "Page.frameNavigated", `{"type":"Navigation","frame":{"id":"T","loaderId":"L","name":"\ud800\u0000 x","url":"http://a.test/","urlFragment":"#f","securityOrigin":"http://a.test"}}`)
	top := table.Freeze().Top()
	if top.Name != "\uFFFD\x00 x" || top.URL != "http://a.test/#f" {
		t.Errorf("name %q, url %q", top.Name, top.URL)
	}
	long := "http://a.test/"
	for len(long) < 40_000 {
		long += "é"
	}
	apply(t, table, "S", "Page.navigatedWithinDocument", fmt.Sprintf(`{"frameId":"T","url":%q,"navigationType":"other"}`, long))
	if n := len(table.Freeze().Top().URL); n > 16<<10 || n < 16<<10-3 {
		t.Errorf("a URL of %d bytes is kept", n)
	}
}

func TestOrigins(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		url, securityOrigin, want string
		ownProcess                bool
	}{
		{"http://a.test/x", "http://a.test", "http://a.test", false},
		{"about:blank", "://", "http://parent.test", false},
		{"about:srcdoc", "", "http://parent.test", false},
		{"about:srcdoc", "://", "null", true},
		{"javascript:1", "", "http://parent.test", false},
		{"", "", "http://parent.test", false},
		{"data:text/html,x", "://", "null", false},
		{"data:text/html,x", "", "null", false},
		{"http://a.test/", "://", "null", false},
		{"http://USER@A.test:81/x?q#f", "", "http://a.test:81", true},
		{"blob:https://a.test/uuid", "", "https://a.test", false},
		{"blob:null/uuid", "", "null", false},
		{"file:///etc/x", "", "file://", false},
		{"file:///etc/x", "file:///", "file://", false},
		{"chrome-error://chromewebdata/", "://", "null", false},
		{"chrome://version/", "", "chrome://version", false},
		{"nonsense", "", "null", false},
		{"x:", "", "null", false},
		{"x:///path", "", "null", false},
	} {
		t.Run(tc.url+" "+tc.securityOrigin, func(t *testing.T) {
			t.Parallel()
			if got := frame.DocumentOrigin(tc.securityOrigin, tc.url, "http://parent.test", tc.ownProcess); got != tc.want {
				t.Errorf("origin %q, want %q", got, tc.want)
			}
		})
	}
}
