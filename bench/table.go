package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"
)

// report is one run, as it is written.
type report struct {
	Date      time.Time         `json:"date"`
	Machine   string            `json:"machine"`
	Chromium  string            `json:"chromium"`
	Versions  map[string]string `json:"versions"`
	Peers     []string          `json:"products"`
	Libraries []string          `json:"libraries"`
	Rows      []row             `json:"rows"`
	Growth    []*growth         `json:"growth,omitempty"`

	steps *regexp.Regexp // which to take
}

// row is one thing measured, for each peer.
type row struct {
	Name string `json:"name"`
	Unit string `json:"unit"`
	// Stats are by column. Less is better everywhere.
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

// markdown is the tables: p50, p95 and p99 in ms, failures, and the ratio of ours
// to the best of the others that did not fail.
func (r *report) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s, %s. Times in ms: p50 / p95 / p99. `n/m ✗` counts tries that failed, with the commonest cause.\n\n", r.Date.Format("2006-01-02"), r.Machine, r.Chromium)
	b.WriteString("### Products, over MCP\n\n")
	r.table(&b, append(slices.Clone(r.Peers), floorName), r.Peers)
	if len(r.Libraries) > 0 {
		b.WriteString("\n### Libraries, beside cdphost over MCP\n\n")
		r.table(&b, append(append([]string{ours}, r.Libraries...), floorName), r.Libraries)
	}
	if len(r.Growth) > 0 {
		b.WriteString("\n### How cdphost grows\n\n| figure | measured | slope |\n|---|---|---|\n")
		for _, g := range r.Growth {
			var points []string
			for i, n := range g.N {
				points = append(points, fmt.Sprintf("%d: %.2f %s", n, g.Value[i], g.Unit))
			}
			if g.Fail != "" {
				points = append(points, "✗ "+strings.ReplaceAll(g.Fail, "|", "/"))
			}
			fmt.Fprintf(&b, "| %s | %s | %.4f %s for each |\n", g.Name, strings.Join(points, ", "), g.Slope, g.Unit)
		}
	}
	b.WriteString("\n")
	for _, p := range slices.Concat(r.Peers, r.Libraries, []string{floorName}) {
		fmt.Fprintf(&b, "- %s: %s\n", p, r.Versions[p])
	}
	return b.String()
}

// table writes the rows that any of the named columns has.
func (r *report) table(b *strings.Builder, columns, rows []string) {
	b.WriteString("| row |")
	for _, p := range columns {
		fmt.Fprintf(b, " %s |", p)
	}
	b.WriteString(" ours to the best other |\n|---|" + strings.Repeat("---|", len(columns)+1) + "\n")
	for _, row := range r.Rows {
		if !slices.ContainsFunc(rows, func(p string) bool { _, ok := row.Stats[p]; return ok }) {
			continue
		}
		fmt.Fprintf(b, "| %s |", row.Name)
		for _, p := range columns {
			s, ok := row.Stats[p]
			fmt.Fprintf(b, " %s |", cell(s, ok, row.Unit))
		}
		fmt.Fprintf(b, " %s |\n", ratio(row, columns))
	}
}

func cell(s stats, ok bool, unit string) string {
	if !ok {
		return ""
	}
	out := ""
	switch {
	case s.Note != "":
		out = strings.ReplaceAll(s.Note, "|", "/")
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
		if !ok || s.Note != "" || s.failed() > 0 {
			return 0, false
		}
		if r.Unit == "ms" {
			return s.P50, s.P50 > 0
		}
		return s.Value, s.Value > 0 || strings.HasPrefix(r.Name, "processes left")
	}
	mine, ok := value(peers[0])
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
	if best == 0 {
		return map[bool]string{true: "same", false: "more"}[mine == 0]
	}
	return fmt.Sprintf("%.2f", mine/best)
}

func machine() string {
	return fmt.Sprintf("%d cores (%s), %s/%s", runtime.NumCPU(), cpu(), runtime.GOOS, runtime.GOARCH)
}

// cpu is the processor's name, where the system tells.
func cpu() string {
	data, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "unknown"
	}
	for line := range strings.Lines(string(data)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown"
}
