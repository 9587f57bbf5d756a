package subagent

import (
	"encoding/json"
	"fmt"
	"strings"
)

// reply is the part of the tools' replies that a run looks into.
type reply struct {
	Action  string          `json:"action"`
	TabID   string          `json:"tabId"`
	Result  json.RawMessage `json:"result"`
	Earlier json.RawMessage `json:"earlier"`
	Pending json.RawMessage `json:"pending_dialogs"`
	Error   *struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

func (r *reply) code() string {
	if r.Error == nil {
		return ""
	}
	return r.Error.Code
}

// extracted is an extract as the browser tool gives it.
type extracted struct {
	URL       string   `json:"url"`
	Title     string   `json:"title"`
	Elements  string   `json:"elements"`
	Count     int      `json:"element_count"`
	Markdown  string   `json:"markdown"`
	Text      string   `json:"text"`
	Gone      []string `json:"gone"`
	Note      string   `json:"note"`
	Truncated bool     `json:"truncated"`
	Cursor    string   `json:"cursor"`
}

// maxPlain bounds what a model reads of a reply that is no extract, in bytes.
const maxPlain = 24 << 10

// render writes a tool's reply as the model reads it, in full and as it will
// look once it is old. The first line is the host's own word; what a page may
// have written is fenced.
func render(mark string, out *Output, part bool) piece {
	var r reply
	if err := json.Unmarshal(out.Reply, &r); err != nil {
		return piece{kind: plain, full: "ok\n" + fence(mark, clip(string(out.Reply), maxPlain))}
	}
	head := "ok"
	if out.Failed {
		head = "error " + r.code()
	}
	if r.Action != "" {
		head += " (" + strings.TrimSpace(r.Action+" "+r.TabID) + ")"
	}
	p := piece{kind: plain, tab: r.TabID, part: part, images: out.Images}
	var body strings.Builder
	var e extracted
	switch {
	case out.Failed:
		writeJSON(&body, "", pick(out.Reply, "error"))
	case r.Action == "extract" && json.Unmarshal(r.Result, &e) == nil:
		p.kind = extract
		p.short = head + "\n" + fence(mark, e.brief())
		e.write(&body)
	case r.Result != nil:
		writeJSON(&body, "", r.Result)
	case r.Action == "":
		writeJSON(&body, "", out.Reply) // browser_dialog
	}
	if r.Action != "" {
		writeJSON(&body, "Earlier actions that a dialog had interrupted: ", r.Earlier)
		writeJSON(&body, "Pending dialogs: ", r.Pending)
	}
	if len(out.Images) > 0 {
		p.kind = picture
	}
	p.full = head
	if body.Len() > 0 {
		p.full += "\n" + fence(mark, body.String())
	}
	if p.short == "" {
		p.short = head + "\n" + fence(mark, clip(body.String(), shortPlain)+"\n(shortened)")
	}
	return p
}

func writeJSON(b *strings.Builder, head string, raw json.RawMessage) {
	if s := string(raw); s != "" && s != "null" && s != "[]" {
		fmt.Fprintf(b, "%s%s\n", head, clip(s, maxPlain))
	}
}

func pick(raw json.RawMessage, name string) json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return raw
	}
	return fields[name]
}

func (e *extracted) write(b *strings.Builder) {
	fmt.Fprintf(b, "url: %s\ntitle: %s\n", e.URL, e.Title)
	if e.Note != "" {
		fmt.Fprintf(b, "note: %s\n", e.Note)
	}
	if len(e.Gone) > 0 {
		fmt.Fprintf(b, "gone: %s\n", strings.Join(e.Gone, " "))
	}
	fmt.Fprintf(b, "elements (%d on the page):\n%s\n", e.Count, e.Elements)
	if e.Markdown != "" {
		fmt.Fprintf(b, "content:\n%s\n", e.Markdown)
	}
	if e.Text != "" && e.Markdown == "" {
		fmt.Fprintf(b, "text:\n%s\n", e.Text)
	}
	if e.Truncated {
		fmt.Fprintf(b, "cut here; go on with extract and cursor %q\n", e.Cursor)
	}
}

// briefContent is how much of an old extract's text stays, in bytes.
const briefContent = 300

// brief is what stays of an extract when newer ones are there.
func (e *extracted) brief() string {
	content := e.Markdown
	if content == "" {
		content = e.Text
	}
	return fmt.Sprintf("url: %s\ntitle: %s\n%d elements\ncontent: %s\n(shortened; extract again if you need it)",
		clip(e.URL, briefContent), clip(e.Title, briefContent), e.Count, clip(content, briefContent))
}
