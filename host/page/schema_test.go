package page_test

import (
	"encoding/json"
	"strings"
	"testing"

	"cdphost/host/page"
	"cdphost/sdk/fault"
)

func TestSchemaIsCompactAndComplete(t *testing.T) {
	t.Parallel()
	s := page.Schema()
	raw, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("schema %d bytes, instructions %d bytes", len(raw), len(page.Instructions()))
	if n := len(raw) + len(page.Instructions()); n > 6<<10 {
		t.Errorf("schema and instructions take %d bytes; want at most 6 KB", n)
	}
	if len(s.OneOf) != 13 {
		t.Errorf("the schema has %d variants, want 13", len(s.OneOf))
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatalf("the schema does not resolve: %v", err)
	}
	for _, v := range s.OneOf {
		name, ok := (*v.Properties["type"].Const).(string)
		if !ok || !strings.Contains(page.Instructions(), "- "+name+": ") {
			t.Errorf("the instructions have no line for %v", *v.Properties["type"].Const)
		}
	}
	for _, tc := range []struct {
		args  string
		valid bool
	}{
		{`{"type":"click","uid":"e1"}`, true},
		{`{"type":"click","selector":"a","tabId":"t1","task_id":"x"}`, true},
		{`{"type":"wait_for","text":"Done","timeout":3}`, true},
		{`{"type":"scroll","pages":-0.5}`, true},
		{`{"type":"get_tabs"}`, true},
		{`{"type":"fly"}`, false},
		{`{"type":"navigate"}`, false},
		{`{"type":"get_tabs","url":"x"}`, false},
	} {
		var v any
		if err := json.Unmarshal([]byte(tc.args), &v); err != nil {
			t.Fatal(err)
		}
		if err := resolved.Validate(v); (err == nil) != tc.valid {
			t.Errorf("%s: %v, want valid %v", tc.args, err, tc.valid)
		}
	}
}

func TestBadArguments(t *testing.T) {
	t.Parallel()
	b := newBench(t, page.Options{UploadRoot: t.TempDir()})
	b.open(`<input id=i><p id=p>x</p><input type=date id=d><select id=s><option>A</option></select>`)
	for name, tc := range map[string]struct {
		args obj
		says string
	}{
		"unknown action":        {obj{"type": "fly"}, "navigate, click"},
		"no action":             {obj{}, "navigate, click"},
		"unknown argument":      {obj{"type": "click", "sel": "a"}, "uid, selector"},
		"wrong type":            {obj{"type": "click", "uid": 4}, "uid"},
		"uid and selector":      {obj{"type": "click", "uid": "e1", "selector": "a"}, "exactly one"},
		"neither":               {obj{"type": "hover"}, "exactly one"},
		"bad selector":          {obj{"type": "click", "selector": "a["}, "CSS selector"},
		"no text":               {obj{"type": "type", "selector": "#i"}, "text is missing"},
		"typing into no field":  {obj{"type": "type", "selector": "#p", "text": "x"}, "no field"},
		"bad date":              {obj{"type": "type", "selector": "#d", "text": "31.1.2026"}, "YYYY-MM-DD"},
		"no such option":        {obj{"type": "type", "selector": "#s", "text": "B"}, "A"},
		"no such key":           {obj{"type": "press_key", "key": "Retrun"}, "Enter"},
		"no such modifier":      {obj{"type": "press_key", "key": "Hyper+A"}, "Control"},
		"scroll nowhere":        {obj{"type": "scroll"}, "one of"},
		"scroll two ways":       {obj{"type": "scroll", "dy": 3, "to": "top"}, "one of"},
		"wait for nothing":      {obj{"type": "wait_for"}, "exactly one"},
		"wait for two":          {obj{"type": "wait_for", "text": "a", "url": "b"}, "exactly one"},
		"unknown state":         {obj{"type": "wait_for", "text": "a", "state": "big"}, "visible"},
		"endless wait":          {obj{"type": "wait_for", "text": "a", "timeout": 301}, "300"},
		"tiny extract":          {obj{"type": "extract", "max_bytes": 3}, "between"},
		"bad cursor":            {obj{"type": "extract", "cursor": "next"}, "cursor"},
		"element and full page": {obj{"type": "screenshot", "selector": "p", "full_page": true}, "not both"},
		"empty expression":      {obj{"type": "evaluate", "expression": " "}, "empty"},
		"unknown frame":         {obj{"type": "evaluate", "expression": "1", "frame_id": "F"}, "no frame"},
		"empty url":             {obj{"type": "navigate", "url": ""}, "empty"},
		"close without tab":     {obj{"type": "close_tab"}, "tabId"},
	} {
		t.Run(name, func(t *testing.T) {
			f := b.fails(fault.InvalidAction, tc.args)
			if !strings.Contains(f.Message, tc.says) {
				t.Errorf("the message %q does not say %q", f.Message, tc.says)
			}
		})
	}
}
