package plugins

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// entry is a line of the audit example's file.
type entry struct {
	Event  string          `json:"event"`
	Task   string          `json:"task"`
	Seq    uint64          `json:"seq"`
	Params json.RawMessage `json:"params"`
}

func audit(h string) string {
	return fmt.Sprintf("  audit: {path: %q, grants: {toolsets: [browser], events: [\"*\"]}, config: {file: audit.jsonl, events: [%s]}}\n", program("audit"), h)
}

// journal reads the whole lines that the audit example has written so far.
func (h *host) journal() []entry {
	h.t.Helper()
	raw, err := os.ReadFile(filepath.Join(h.dir, "audit.jsonl"))
	if err != nil {
		h.t.Fatal(err)
	}
	text := string(raw)
	text = text[:strings.LastIndexByte(text, '\n')+1]
	var out []entry
	for line := range strings.Lines(text) {
		var e entry
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			h.t.Fatalf("%q: %v", line, err)
		}
		out = append(out, e)
	}
	return out
}

// count counts the events of a kind.
func count(journal []entry, event string) int {
	n := 0
	for _, e := range journal {
		if e.Event == event {
			n++
		}
	}
	return n
}
