package main

import (
	"math"
	"testing"
	"time"
)

func ms(n float64) sample { return sample{took: time.Duration(n * float64(time.Millisecond))} }

func TestFailuresAreCountedAndNotDropped(t *testing.T) {
	t.Parallel()
	s := summarise([]sample{ms(3), ms(1), {took: time.Hour, fail: "hang"}, ms(2)})
	if s.N != 4 || s.failed() != 1 || s.P50 != 2 || s.P99 != 3 {
		t.Errorf("got %+v", s)
	}
	if got, want := cell(s, true, "ms"), "2.0 / 3.0 / 3.0 1/4 ✗ hang"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := cell(summarise([]sample{{fail: "a|b"}}), true, "ms"); got != "1/1 ✗ a/b" {
		t.Errorf("got %q", got)
	}
}

// TestRatio: only who did not fail is compared with, and the floor is nobody's
// product.
func TestRatio(t *testing.T) {
	t.Parallel()
	columns := []string{ours, "a", "b", floorName}
	good := func(n float64) stats { return summarise([]sample{ms(n)}) }
	failing := summarise([]sample{ms(1), {fail: "no"}})
	for _, tc := range []struct {
		name string
		row  row
		want string
	}{
		{"the best other", row{Unit: "ms", Stats: map[string]stats{ours: good(2), "a": good(8), "b": good(4), floorName: good(1)}}, "0.50"},
		{"one that failed", row{Unit: "ms", Stats: map[string]stats{ours: good(2), "a": good(8), "b": failing}}, "0.25"},
		{"all others failed", row{Unit: "ms", Stats: map[string]stats{ours: good(2), "a": failing}}, "no other without failures"},
		{"we failed", row{Unit: "ms", Stats: map[string]stats{ours: failing, "a": good(8)}}, "failed"},
		{"bytes", row{Unit: "B", Stats: map[string]stats{ours: {Value: 50}, "a": {Value: 100}, "b": {Note: "✗ no"}}}, "0.50"},
		{"nothing left by both", row{Name: "processes left", Stats: map[string]stats{ours: {}, "a": {}}}, "same"},
		{"something left by us", row{Name: "processes left", Stats: map[string]stats{ours: {Value: 1}, "a": {}}}, "more"},
	} {
		if got := ratio(tc.row, columns); got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.name, got, tc.want)
		}
	}
}

func TestSlope(t *testing.T) {
	t.Parallel()
	if got := slope([]int{1, 10, 100}, []float64{5, 14, 104}); math.Abs(got-1) > 1e-9 {
		t.Errorf("got %v, want 1", got)
	}
	if got := slope([]int{1}, []float64{5}); got != 0 {
		t.Errorf("got %v of one point", got)
	}
}

func TestPerAlert(t *testing.T) {
	t.Parallel()
	if s := perAlert(`{"value":"each took 4.25 ms"}`, nil); s.fail != "" || s.took != 4250*time.Microsecond {
		t.Errorf("got %+v", s)
	}
	if s := perAlert("undefined", nil); s.fail == "" {
		t.Error("a reply without a time is none")
	}
}
