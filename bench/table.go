package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// report is one run, as it is written.
type report struct {
	Date     time.Time         `json:"date"`
	Machine  string            `json:"machine"`
	Chromium string            `json:"chromium"`
	Versions map[string]string `json:"versions"`
	Peers    []string          `json:"peers"`
	Rows     []row             `json:"rows"`
}

// row is one thing measured, for each peer.
type row struct {
	Name string `json:"name"`
	Unit string `json:"unit"`
	// Less is true where less is better, which is everywhere so far.
	Stats map[string]stats `json:"stats"`
}

func (r *report) add(name, unit, peer string, s stats) {
	for i := range r.Rows {
		if r.Rows[i].Name == name {
			r.Rows[i].Stats[peer] = s
			return
		}
	}
	r.Rows = append(r.Rows, row{Name: name, Unit: unit, Stats: map[string]stats{peer: s}})
}

func (r *report) write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "table.json"), append(data, '\n'), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "table.md"), []byte(r.markdown()), 0o644)
}

// markdown is the table: p50, p95 and p99 in ms, failures, and the ratio of ours to
// the best of the others that did not fail.
func (r *report) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s, %s. Times in ms: p50 / p95 / p99. `n/m ✗` counts tries that failed.\n\n", r.Date.Format("2006-01-02"), r.Machine, r.Chromium)
	b.WriteString("| row |")
	for _, p := range r.Peers {
		fmt.Fprintf(&b, " %s |", p)
	}
	b.WriteString(" ours to the best other |\n|---|" + strings.Repeat("---|", len(r.Peers)+1) + "\n")
	for _, row := range r.Rows {
		fmt.Fprintf(&b, "| %s |", row.Name)
		for _, p := range r.Peers {
			s, ok := row.Stats[p]
			fmt.Fprintf(&b, " %s |", cell(s, ok, row.Unit))
		}
		fmt.Fprintf(&b, " %s |\n", ratio(row, r.Peers))
	}
	b.WriteString("\n")
	for _, p := range r.Peers {
		fmt.Fprintf(&b, "- %s: %s\n", p, r.Versions[p])
	}
	return b.String()
}

func cell(s stats, ok bool, unit string) string {
	if !ok {
		return ""
	}
	out := ""
	switch {
	case unit != "ms" && s.Note != "":
		out = s.Note
	case unit != "ms":
		out = fmt.Sprintf("%.0f %s", s.Value, unit)
	case s.failed() < s.N:
		out = fmt.Sprintf("%.1f / %.1f / %.1f", s.P50, s.P95, s.P99)
	}
	if f := s.failed(); f > 0 {
		most, text := 0, ""
		for t, n := range s.Failures {
			if n > most {
				most, text = n, t
			}
		}
		out += fmt.Sprintf(" %d/%d ✗ %s", f, s.N, strings.ReplaceAll(firstLine(text), "|", "/"))
	}
	return strings.TrimSpace(out)
}

func ratio(r row, peers []string) string {
	value := func(p string) (float64, bool) {
		s, ok := r.Stats[p]
		if !ok || s.N > 0 && s.failed() > 0 {
			return 0, false
		}
		if r.Unit == "ms" {
			return s.P50, s.P50 > 0
		}
		return s.Value, s.Value > 0
	}
	ours, ok := value(peers[0])
	if !ok && r.Unit != "ms" {
		return ""
	}
	if !ok {
		return "failed"
	}
	best, found := 0.0, false
	for _, p := range peers[1:] {
		if p == floorName {
			continue // nobody's product
		}
		if v, ok := value(p); ok && (!found || v < best) {
			best, found = v, true
		}
	}
	if !found {
		return "no other without failures"
	}
	return fmt.Sprintf("%.2f", ours/best)
}

func machine() string {
	return fmt.Sprintf("%d cores, %s/%s", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH)
}
