package plugin

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/go-hclog"
)

const (
	// maxLogFields and maxLogField bound what one line adds to the log.
	maxLogFields = 32
	maxLogField  = 2 << 10
)

// logEntry is one line of a plugin's log.
type logEntry struct {
	level   hclog.Level
	message string
	args    []any
	raw     bool // not written by hclog
}

// parseLog reads a line of hclog's JSON format; any other line is its own
// message. It makes no assumption about the types of the values.
func parseLog(line []byte) logEntry {
	line = bytes.TrimSpace(line)
	var fields map[string]any
	if len(line) == 0 || line[0] != '{' || json.Unmarshal(line, &fields) != nil {
		return logEntry{level: hclog.Info, message: clean(string(line), maxLogLine), raw: true}
	}
	message, isText := fields["@message"].(string)
	levelName, hasLevel := fields["@level"].(string)
	level := hclog.LevelFromString(levelName)
	if !isText || !hasLevel || level == hclog.NoLevel || level == hclog.Off {
		return logEntry{level: hclog.Info, message: clean(string(line), maxLogLine), raw: true}
	}
	e := logEntry{level: level, message: clean(message, maxLogLine)}
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		if strings.HasPrefix(key, "@") {
			continue
		}
		if len(e.args) >= 2*maxLogFields {
			e.args = append(e.args, "fields_cut", len(fields))
			break
		}
		e.args = append(e.args, clean(key, 64), field(fields[key]))
	}
	return e
}

func field(v any) any {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool, float64:
		return v
	case string:
		return cleanText(v, maxLogField, '\n') // a stack keeps its lines
	default:
		raw, err := json.Marshal(v)
		if err != nil {
			return fmt.Sprintf("%T", v)
		}
		return clean(string(raw), maxLogField)
	}
}

// startsPanic reports whether a line is the first of a Go crash.
func startsPanic(line []byte) bool {
	return bytes.HasPrefix(line, []byte("panic: ")) || bytes.HasPrefix(line, []byte("fatal error: "))
}

// clean cuts s to limit bytes and takes out what could steer a terminal or break
// a line.
func clean(s string, limit int) string { return cleanText(s, limit, ' ') }

// cleanText is clean with what stands for the end of a line.
func cleanText(s string, limit int, newline rune) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) > limit {
		for limit > 0 && !utf8.RuneStart(s[limit]) {
			limit--
		}
		s = s[:limit] + "..."
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return newline
		case r == '\t':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, s)
}
