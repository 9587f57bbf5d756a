package demo

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"
)

// Marks of ECMA-48 ("ANSI colours").
const (
	bold  = "1"
	faint = "2"
	green = "32"
	cyan  = "36"
	blue  = "34"
)

// width is what a line of the demo takes of a terminal's usual 100 columns.
const width = 96

// printer lays the demo out. Its writer's errors are not the demo's concern.
type printer struct {
	out   io.Writer
	color bool
	steps int
}

func newPrinter(out io.Writer, color bool) *printer { return &printer{out: out, color: color} }

func (p *printer) mark(code, text string) string {
	if !p.color || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (p *printer) line(format string, v ...any) { _, _ = fmt.Fprintf(p.out, format+"\n", v...) }

// title opens the demo.
func (p *printer) title(name string, facts ...string) {
	shown := facts[:0:0]
	for _, f := range facts {
		if f != "" {
			shown = append(shown, f)
		}
	}
	p.line("\n  %s  %s", p.mark(bold, name), p.mark(faint, strings.Join(shown, " · ")))
}

// step says what comes next.
func (p *printer) step(says string) {
	p.steps++
	p.line("\n %s  %s", p.mark(bold+";"+cyan, fmt.Sprintf("%2d", p.steps)), says)
}

// ask shows a call of the agent.
func (p *printer) ask(tool string, given args) {
	var b strings.Builder
	for _, a := range given {
		fmt.Fprintf(&b, "  %s=%s", p.mark(faint, a.name), value(a.value))
	}
	p.line("     %s %s%s", p.mark(blue, "→"), p.mark(bold, tool), b.String())
}

// do shows something that happens to the host.
func (p *printer) do(format string, v ...any) {
	p.line("     %s %s", p.mark(cyan, "!"), fmt.Sprintf(format, v...))
}

// got shows a reply and how long it took, at the right margin.
func (p *printer) got(took time.Duration, format string, v ...any) {
	text, ms := fmt.Sprintf(format, v...), milliseconds(took)
	fill := max(width-9-utf8.RuneCountInString(text)-len(ms), 2)
	p.line("     %s %s%s%s", p.mark(green, "←"), text, strings.Repeat(" ", fill), p.mark(faint, ms))
}

// more shows another line of a reply.
func (p *printer) more(format string, v ...any) {
	p.line("       %s", p.mark(faint, fmt.Sprintf(format, v...)))
}

// end closes the demo.
func (p *printer) end(format string, v ...any) {
	p.line("\n  %s %s\n", p.mark(bold+";"+green, "✓"), fmt.Sprintf(format, v...))
}

// value shows an argument as briefly as it can be read.
func value(v any) string {
	if text, ok := v.(string); ok {
		if len(text) == 32 && strings.Trim(text, "0123456789ABCDEF") == "" {
			return short(text)
		}
		if strings.ContainsAny(text, " ") {
			return `"` + text + `"`
		}
		return text
	}
	if fields, ok := v.(map[string]any); ok && len(fields) == 1 {
		for name, field := range fields {
			return fmt.Sprintf("{%s: %v}", name, field)
		}
	}
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(data)
}

// show describes a dialog.
func show(d shownDialog) string {
	text := fmt.Sprintf("%s %s “%s”", d.Type, d.ID, d.Message)
	if d.DefaultPrompt != "" {
		text += fmt.Sprintf(" (default “%s”)", d.DefaultPrompt)
	}
	return text
}

// short cuts an id of CDP to what tells it from its neighbours.
func short(id string) string {
	const shown = 8
	if len(id) <= shown {
		return id
	}
	return id[:shown] + "…"
}

func milliseconds(d time.Duration) string {
	if ms := float64(d) / float64(time.Millisecond); ms < 10 {
		return fmt.Sprintf("%.1f ms", ms)
	}
	return fmt.Sprintf("%d ms", d.Milliseconds())
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) }
