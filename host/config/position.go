package config

import "strconv"

// Position is a place in a configuration file. Line and Column start at 1;
// Column counts characters. A Position without a line stands for the file as a
// whole.
type Position struct {
	File   string `json:"file"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
}

// IsValid reports whether the position names a line.
func (p Position) IsValid() bool { return p.Line > 0 }

// String returns "file:line:column", the form that editors and terminals turn
// into a link.
func (p Position) String() string {
	if !p.IsValid() {
		return p.File
	}
	return p.File + ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column)
}
