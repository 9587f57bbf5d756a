package frame_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cdphost/host/frame"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func apply(t testing.TB, table *frame.Table, session, method, params string) frame.Change {
	t.Helper()
	c, err := table.Apply(session, method, []byte(params))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func navigated(id, parent, loader, url, origin string) string {
	b, _ := json.Marshal(map[string]any{"type": "Navigation", "frame": map[string]any{
		"id": id, "parentId": parent, "loaderId": loader, "url": url, "securityOrigin": origin,
		"domainAndRegistry": "", "mimeType": "text/html", "secureContextType": "Secure",
		"crossOriginIsolatedContextType": "NotIsolated", "gatedAPIFeatures": []string{},
	}})
	return string(b)
}

func attached(id, parent string) string {
	return fmt.Sprintf(`{"frameId":%q,"parentFrameId":%q}`, id, parent)
}

// contract builds the page of the contract's example.
func contract(t testing.TB) *frame.Table {
	table := frame.NewTable("FRAME_A", "SID_A")
	apply(t, table, "SID_A", "Page.frameNavigated", navigated("FRAME_A", "", "L1", "https://example.com/", "https://example.com"))
	apply(t, table, "SID_A", "Page.frameAttached", attached("FRAME_B", "FRAME_A"))
	apply(t, table, "SID_A", "Page.frameAttached", attached("FRAME_C", "FRAME_A"))
	apply(t, table, "SID_A", "Page.frameNavigated", navigated("FRAME_B", "FRAME_A", "L2", "about:srcdoc", "://"))
	table.Attached("SID_C", "FRAME_C", "FRAME_A", "")
	apply(t, table, "SID_C", "Page.frameNavigated", navigated("FRAME_C", "FRAME_A", "L3", "https://ads.example.net/", "https://ads.example.net"))
	apply(t, table, "SID_A", "Page.frameDetached", `{"frameId":"FRAME_C","reason":"swap"}`)
	return table
}

// nest adds a chain of n OOPIFs below parent.
func nest(table *frame.Table, parent string, n int) {
	for i := range n {
		id := fmt.Sprintf("%s.%d", parent, i)
		table.Attached("S"+id, id, parent, "https://deep.example/")
		parent = id
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name+".json")
	var v any
	if err := json.Unmarshal(got, &v); err != nil {
		t.Fatalf("%v: %s", err, got)
	}
	var pretty strings.Builder
	enc := json.NewEncoder(&pretty)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(pretty.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), pretty.String()); d != "" {
		t.Errorf("%s (run with -update to accept):\n%s", path, d)
	}
}

func TestTreeJSON(t *testing.T) {
	t.Parallel()
	many := contract(t)
	for i := range 40 {
		apply(t, many, "SID_A", "Page.frameAttached", attached(fmt.Sprintf("M%02d", i), "FRAME_A"))
	}
	deep := contract(t)
	nest(deep, "FRAME_C", 3)
	crashed := contract(t)
	apply(t, crashed, "SID_C", "Inspector.targetCrashed", `{}`)
	hostile := contract(t)
	apply(t, hostile, "SID_A", "Page.frameNavigated",
		navigated("FRAME_B", "FRAME_A", "L9", "data:text/html,\"\\\u2028<é>\x01"+strings.Repeat("é", 3000), "null"))
	for _, tc := range []struct {
		name   string
		table  *frame.Table
		limits frame.Limits
	}{
		{"contract", contract(t), frame.Limits{}},
		{"too_many", many, frame.Limits{}},
		{"two_children", many, frame.Limits{MaxChildren: 2}},
		{"too_deep", deep, frame.Limits{}},
		{"no_limits", deep, frame.Limits{MaxChildren: -1, MaxOOPIFDepth: -1}},
		{"crashed", crashed, frame.Limits{}},
		{"hostile", hostile, frame.Limits{}},
		{"empty", frame.NewTable("FRAME_A", "SID_A"), frame.Limits{}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			z := tc.table.Freeze()
			b := z.AppendJSON(nil, tc.limits)
			golden(t, tc.name, b)
			m, err := json.Marshal(z.Tree(tc.limits))
			if err != nil {
				t.Fatal(err)
			}
			if !equalJSON(t, m, b) {
				t.Errorf("Tree marshals differently:\n%s\n%s", m, b)
			}
		})
	}
}

func equalJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	var x, y any
	if err := json.Unmarshal(a, &x); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &y); err != nil {
		t.Fatal(err)
	}
	return cmp.Equal(x, y)
}

func TestNilFrozen(t *testing.T) {
	t.Parallel()
	var z *frame.Frozen
	if _, ok := z.Lookup("F"); ok {
		t.Error("a frame in nothing")
	}
	if _, ok := z.SessionOf("F"); ok || z.Len() != 0 || z.Dropped() != 0 || z.Top().ID != "" {
		t.Error("nil is not empty")
	}
	for range z.Frames() {
		t.Error("a frame in nothing")
	}
	golden(t, "nil", z.AppendJSON(nil, frame.Limits{}))
}
