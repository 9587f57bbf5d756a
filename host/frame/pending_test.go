package frame_test

import (
	"testing"

	"cdphost/host/frame"
)

// A navigation to another process that is given up leaves the frame with the document
// and the execution context that it had, and with what these became meanwhile.
func TestNavigationThatIsGivenUp(t *testing.T) {
	t.Parallel()
	const (
		context2  = `{"context":{"id":8,"uniqueId":"u8","origin":"http://a.test","name":"","auxData":{"isDefault":true,"frameId":"F"}}}`
		destroyed = `{"executionContextId":7,"executionContextUniqueId":"u7"}`
		empty     = `{"frameTree":{"frame":{"id":"F","parentId":"T","loaderId":"L9","url":"","securityOrigin":"://"}}}`
		moved     = `{"frame":{"id":"F","parentId":"T","loaderId":"L3","url":"http://a.test/3","securityOrigin":"http://a.test"}}`
		shown     = `{"frame":{"id":"F","parentId":"T","loaderId":"L9","url":"http://b.test/","securityOrigin":"http://b.test"}}`
	)
	for name, tc := range map[string]struct {
		meanwhile          func(*testing.T, *frame.Table)
		loader, url, world string
		children           []string
		oopif              bool
	}{
		"at once": {func(*testing.T, *frame.Table) {}, "L2", "http://a.test/2", "u7", []string{"T", "F", "C"}, false},
		"its empty tree was read": {func(t *testing.T, table *frame.Table) {
			if err := table.Seed("SF", []byte(empty)); err != nil {
				t.Error(err)
			}
		}, "L2", "http://a.test/2", "u7", []string{"T", "F", "C"}, false},
		"the old document went on": {func(t *testing.T, table *frame.Table) {
			event(t, table, "S", "Page.frameNavigated", moved)
			event(t, table, "S", "Runtime.executionContextDestroyed", destroyed)
			event(t, table, "S", "Runtime.executionContextCreated", context2)
		}, "L3", "http://a.test/3", "u8", []string{"T", "F", "C"}, false},
		"the old context went": {func(t *testing.T, table *frame.Table) {
			event(t, table, "S", "Runtime.executionContextDestroyed", destroyed)
		}, "L2", "http://a.test/2", "", []string{"T", "F", "C"}, false},
		"it was not given up": {func(t *testing.T, table *frame.Table) {
			event(t, table, "SF", "Page.frameNavigated", shown)
		}, "L9", "http://b.test/", "", []string{"T", "F"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			table := frame.NewTable("T", "S")
			event(t, table, "S", "Page.frameAttached", attached("F", "T"))
			event(t, table, "S", "Page.frameNavigated", `{"frame":{"id":"F","parentId":"T","loaderId":"L2","url":"http://a.test/2","securityOrigin":"http://a.test"}}`)
			event(t, table, "S", "Runtime.executionContextCreated", `{"context":{"id":7,"uniqueId":"u7","origin":"http://a.test","name":"","auxData":{"isDefault":true,"frameId":"F"}}}`)
			event(t, table, "S", "Page.frameAttached", attached("C", "F"))
			table.Attached("SF", "F", "T", "")
			wantSession(t, table, "F", "SF")
			tc.meanwhile(t, table)
			table.Detached("SF")
			wantIDs(t, table, tc.children...)
			f, _ := table.Freeze().Lookup("F")
			if f.LoaderID != tc.loader || f.URL != tc.url || f.DefaultContext != tc.world || f.OOPIF != tc.oopif {
				t.Errorf("the frame is %+v", f)
			}
			if !tc.oopif {
				wantSession(t, table, "F", "S")
			}
		})
	}
}

// A frame without a session that its parent's process tells of lives there.
func TestFrameThatComesBackWithoutAWord(t *testing.T) {
	t.Parallel()
	table := frame.NewTable("T", "S")
	table.Attached("SF", "F", "T", "http://b.test/")
	table.Detached("SF")
	wantSession(t, table, "F", "")
	event(t, table, "S", "Page.frameNavigated", `{"frame":{"id":"F","parentId":"T","loaderId":"L4","url":"http://a.test/4","securityOrigin":"http://a.test"}}`)
	wantSession(t, table, "F", "S")
}

func event(t *testing.T, table *frame.Table, session, method, params string) {
	t.Helper()
	if _, err := table.Apply(session, method, []byte(params)); err != nil {
		t.Fatal(err)
	}
	frame.Verify(t, table)
}
