package frame

import (
	"slices"
	"strings"
	"testing"
)

// Verify fails t when the table's parts contradict each other.
func Verify(t testing.TB, table *Table) {
	t.Helper()
	seen := make(map[string]bool)
	for i, it := range table.order {
		if seen[it.ID] {
			t.Fatalf("frame %s is there twice", it.ID)
		}
		if i == 0 {
			if it.level != 0 || !it.Top || it.ParentID != "" {
				t.Fatalf("the first frame is no top frame: %+v", it.Frame)
			}
		} else {
			j := i - 1
			for j >= 0 && table.order[j].level >= it.level {
				j--
			}
			if it.Top || j < 0 || table.order[j].ID != it.ParentID || table.order[j].level != it.level-1 {
				t.Fatalf("frame %s at level %d is not below its parent %s", it.ID, it.level, it.ParentID)
			}
		}
		seen[it.ID] = true
		if table.get(it.ID) != it.Frame {
			t.Fatalf("the index has another %s", it.ID)
		}
		if it.SessionID != "" && table.sessions[it.SessionID] != it.ID {
			t.Fatalf("session %s is not known as frame %s's", it.SessionID, it.ID)
		}
	}
	if len(table.byID) != len(table.order) {
		t.Fatalf("%d frames, %d in the index", len(table.order), len(table.byID))
	}
	if !slices.IsSortedFunc(table.byID, func(a, b *Frame) int { return strings.Compare(a.ID, b.ID) }) {
		t.Fatal("the index is not sorted")
	}
	for s, id := range table.sessions {
		if f := table.get(id); f == nil || f.SessionID != s {
			t.Fatalf("session %s is of frame %s, which does not have it", s, id)
		}
	}
	for key, ref := range table.contexts {
		f := table.get(ref.frame)
		has := func(f *Frame) bool {
			return f != nil && (f.defaultKey == key || slices.ContainsFunc(f.Worlds, func(w World) bool { return w.key == key }))
		}
		if !has(f) && (f == nil || !has(f.before)) {
			t.Fatalf("context %s is of frame %s, which does not have it", key, ref.frame)
		}
	}
}

// DocumentOrigin is documentOrigin.
var DocumentOrigin = documentOrigin

// Indexed is the number of entries of the table's indexes beside the frames.
func Indexed(t *Table) int { return len(t.sessions) + len(t.contexts) }

// Limit sets how many frames the table holds.
func Limit(t *Table, n int) { t.max = n }
