package tool

import (
	"time"

	"cdphost/host/supervisor"
)

// consoleEntry is an entry of console_errors.
type consoleEntry struct {
	// Time is in Unix seconds.
	Time    float64 `json:"time"`
	Level   string  `json:"level"`
	Text    string  `json:"text"`
	URL     string  `json:"url"`
	Line    int64   `json:"line"`
	FrameID string  `json:"frame_id"`
}

// consoleOf picks the entries of one page, newest last.
func consoleOf(all []supervisor.ConsoleEntry, tabID string) []consoleEntry {
	out := []consoleEntry{}
	for _, e := range all {
		if e.TabID == tabID {
			out = append(out, consoleEntry{unixSeconds(e.Time), e.Level, e.Text, e.URL, e.Line, e.FrameID})
		}
	}
	return out
}

func unixSeconds(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }
