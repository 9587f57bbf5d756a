package subagent

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestFlatten(t *testing.T) {
	t.Parallel()
	flat, takes, err := flatten(Tool{Name: "browser", Description: "Acts.", Schema: json.RawMessage(`{"type":"object",
		"properties":{"task_id":{"type":"string"}},"oneOf":[
		{"properties":{"type":{"const":"navigate"},"url":{"type":"string","description":"where"},"timeout":{"type":"number"},"task_id":{}},"required":["type","url"]},
		{"properties":{"type":{"const":"open_tab"},"url":{"type":"string"},"timeout":{"type":"integer"}},"required":["type","url"]}]}`)})
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"type":"object","properties":{"timeout":{},"type":{"enum":["navigate","open_tab"],"type":"string"},"url":{"type":"string"}},"required":["type"]}`
	if string(flat.Schema) != want {
		t.Errorf("schema = %s", flat.Schema)
	}
	if !strings.HasSuffix(flat.Description, "\nnavigate(url, timeout?)\nopen_tab(url, timeout?)") {
		t.Errorf("description = %q", flat.Description)
	}
	for args, want := range map[string]string{
		`{"type":"navigate","url":"x","timeout":null}`: `{"type":"navigate","url":"x"}`,
		`{"type":"navigate","url":"","uid":""}`:        `{"type":"navigate","url":""}`,
		`{"type":"navigate","url":"x","uid":"e1"}`:     `{"type":"navigate","url":"x","uid":"e1"}`,
		`{"type":"fly","uid":""}`:                      `{"type":"fly","uid":""}`,
	} {
		if got := takes.prune(json.RawMessage(args)); string(got) != want {
			t.Errorf("prune(%s) = %s", args, got)
		}
	}
	if _, _, err := flatten(Tool{Schema: json.RawMessage(`{"oneOf":[{"properties":{}}]}`)}); err == nil {
		t.Error("a variant without a type is taken")
	}
}

func TestRounds(t *testing.T) {
	t.Parallel()
	for turns, want := range map[string]int{
		"a": 1, "ab": 1, "aa": 2, "aaa": 3, "abab": 2, "ababab": 3, "abcabcabc": 3, "abcdabcdabcd": 3,
		"aab": 1, "aaaab": 1, "abcde": 1, "xabab": 2, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": 24,
	} {
		var r repeats
		got := 0
		for _, c := range turns {
			f := fingerprint{parts: []string{string(c)}}
			got = r.add(f.sum())
		}
		if got != want {
			t.Errorf("%s: %d rounds, want %d", turns, got, want)
		}
	}
}

func TestSpeakable(t *testing.T) {
	t.Parallel()
	m := speakable(Message{Native: 1, Calls: []Call{
		{ID: "a", Name: "browser", Args: `{"type":"click"}`}, {ID: "a", Name: "", Args: `[]`}, {Name: strings.Repeat("ä ", 90), Args: "{"},
	}})
	if m.Native != nil {
		t.Error("the provider's own message is kept, though it can't be sent back")
	}
	seen := map[string]bool{}
	for i, c := range m.Calls {
		var object map[string]any
		if err := json.Unmarshal([]byte(c.Args), &object); err != nil || c.ID == "" || seen[c.ID] || c.Name == "" || len(c.Name) > 64 || unnameable.MatchString(c.Name) {
			t.Errorf("call %d = %+v", i, c)
		}
		seen[c.ID] = true
	}
}

// A long page that is read on and on stays whole, but not without bound.
func TestCompactKeepsAReadingTogether(t *testing.T) {
	t.Parallel()
	h := history{}
	add := func(tab string, part bool, bytes int) *piece {
		tn := &turn{results: []result{{piece: piece{kind: extract, tab: tab, part: part, full: strings.Repeat("x", bytes), short: "short"}}}}
		h.turns = append(h.turns, tn)
		return &tn.results[0].piece
	}
	before := add("t1", false, 100)
	first, second, third := add("t1", false, 8000), add("t1", true, 8000), add("t1", true, 8000)
	other := add("t2", false, 100)
	h.compact()
	if !before.old || first.old || second.old || third.old || other.old {
		t.Errorf("old: %v %v %v %v %v", before.old, first.old, second.old, third.old, other.old)
	}
	big := add("t1", true, 60<<10)
	h.compact()
	if !first.old || !third.old || big.old {
		t.Errorf("beyond the bound: old %v %v %v", first.old, third.old, big.old)
	}
	for range 3 {
		add("t3", false, 100)
	}
	h.compact()
	if !big.old {
		t.Error("a reading that was left long ago stays whole")
	}
}

func TestLine(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, args, want string }{
		{ToolBrowser, `{"type":"type","uid":"e3","text":"hunter2"}`, "type e3 (7 characters)"},
		{ToolBrowser, `{"type":"press_key","key":"Enter"}`, "press_key Enter"},
		{ToolBrowser, `{"type":"wait_for","text":"Thanks"}`, "wait_for Thanks"},
		{ToolDialog, `{"action":"accept","dialog_id":"d-1","prompt_text":"hunter2"}`, "accept the dialog d-1"},
		{ToolBrowser, `{"type":"close_tab","tabId":"t2"}`, "close_tab t2"},
	} {
		if got := line(tc.name, json.RawMessage(tc.args)); got != tc.want {
			t.Errorf("line(%s) = %q, want %q", tc.args, got, tc.want)
		}
	}
}
