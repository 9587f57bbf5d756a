package modeltest

import (
	"encoding/json"
	"strings"
)

// Request is what the model was asked, whichever protocol it came in.
type Request struct {
	// Number counts the requests from 1.
	Number    int
	Protocol  Protocol
	Model     string
	Key       string
	System    string
	Messages  []Message
	Tools     []string
	Schemas   map[string]json.RawMessage
	MaxTokens int64
	Raw       json.RawMessage
}

// Message is one message of the conversation. Text holds results too, each
// after "[result ID]".
type Message struct {
	Role   string
	Text   string
	Calls  []Call
	Images int
	// Cached is true when the client marked the end of what may be cached here.
	Cached bool
}

// Last returns the text of the messages since the model last spoke.
func (r *Request) Last() string {
	var out []string
	for i := len(r.Messages) - 1; i >= 0 && r.Messages[i].Role != "assistant"; i-- {
		out = append([]string{r.Messages[i].Text}, out...)
	}
	return strings.Join(out, "\n")
}

// Text returns the whole conversation, without the system's part.
func (r *Request) Text() string {
	var out []string
	for _, m := range r.Messages {
		out = append(out, m.Text)
	}
	return strings.Join(out, "\n")
}

// Images counts the pictures in the conversation.
func (r *Request) Images() int {
	n := 0
	for _, m := range r.Messages {
		n += m.Images
	}
	return n
}

// part is a piece of content in either protocol.
type part struct {
	Type         string          `json:"type"`
	Text         string          `json:"text"`
	ID           string          `json:"id"`
	Name         string          `json:"name"`
	Input        json.RawMessage `json:"input"`
	ToolUseID    string          `json:"tool_use_id"`
	Content      json.RawMessage `json:"content"`
	CacheControl json.RawMessage `json:"cache_control"`
}

// parts reads content, which is a text or a list.
func parts(raw json.RawMessage) []part {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return []part{{Type: "text", Text: text}}
	}
	var list []part
	if len(raw) > 0 && json.Unmarshal(raw, &list) != nil {
		return []part{{Type: "text", Text: string(raw)}}
	}
	return list
}

func (m *Message) take(list []part) {
	for _, p := range list {
		switch p.Type {
		case "text":
			m.say(p.Text)
		case "image", "image_url":
			m.Images++
		case "tool_use":
			m.Calls = append(m.Calls, Call{ID: p.ID, Name: p.Name, Args: string(p.Input)})
		case "tool_result":
			m.say("[result " + p.ToolUseID + "]")
			m.take(parts(p.Content))
		}
		m.Cached = m.Cached || p.CacheControl != nil
	}
}

func (m *Message) say(text string) {
	m.Text = strings.TrimPrefix(m.Text+"\n"+text, "\n")
}
