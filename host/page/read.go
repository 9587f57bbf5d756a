package page

import (
	"context"
	"strings"
	"sync"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
)

// markdownOf converts the walker's HTML. A converter must not be shared.
func markdownOf(html string) (string, error) {
	c := converter.NewConverter(converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(), table.NewTablePlugin()))
	return c.ConvertString(html)
}

// reading is a page as reading matter.
type reading struct {
	markdown string
	text     string
	cut      bool // the page holds more than was asked for
}

// document is what the walker's read answers.
type document struct {
	HTML    string `json:"html"`
	Cut     bool   `json:"cut"`
	Text    string `json:"text"`
	TextCut bool   `json:"text_cut"`
	Missing bool   `json:"missing"`
}

// read returns the page, or the part of it in scope, as markdown and as text,
// with its frames behind it; at most about as much as is asked for.
func (r *run) read(tab *Tab, scope *located, markdown, text int) (*reading, error) {
	frames := tab.Frames
	first := map[string]any{"max": max(markdown, text)}
	if scope != nil {
		frames = below(tab.Frames, scope.frame)
		first["n"] = scope.N
		frames = frames[:1] // a part has no frames that could be told apart
	}
	docs := make([]document, len(frames))
	limit := make(chan struct{}, walkersAtOnce)
	var wg sync.WaitGroup
	for i, f := range frames[1:] {
		limit <- struct{}{}
		wg.Go(func() {
			defer func() { <-limit }()
			ctx, cancel := context.WithTimeout(r.ctx, frameTimeout)
			defer cancel()
			_, _ = r.ask(ctx, f, "", "read", map[string]any{"max": max(markdown, text)}, &docs[i+1]) // a frame that is gone has nothing to read
		})
	}
	_, err := r.ask(r.ctx, frames[0], "", "read", first, &docs[0])
	wg.Wait()
	if err != nil {
		return nil, err
	}
	out := &reading{}
	var md, plain strings.Builder
	for i := range docs {
		if i > 0 && strings.TrimSpace(docs[i].Text) == "" {
			continue
		}
		if i > 0 {
			mark := "\n\n--- frame"
			if frames[i].Origin != frames[0].Origin && frames[i].Origin != "" {
				mark += " from " + frames[i].Origin
			}
			md.WriteString(mark + "\n\n")
			plain.WriteString(mark + "\n\n")
		}
		converted, err := markdownOf(docs[i].HTML)
		if err != nil {
			return nil, err
		}
		md.WriteString(converted)
		plain.WriteString(docs[i].Text)
		out.cut = out.cut || docs[i].Cut || docs[i].TextCut
	}
	out.markdown, out.text = md.String(), plain.String()
	return out, nil
}
