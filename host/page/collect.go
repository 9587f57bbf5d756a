package page

import (
	"context"
	"sync"
	"time"
)

// item is what the walker tells of one element.
type item struct {
	N           int      `json:"n"`
	Role        string   `json:"role"`
	Name        string   `json:"name"`
	Level       int      `json:"level"`
	States      []string `json:"states"`
	Value       string   `json:"value"`
	Options     []string `json:"options"`
	MoreOptions int      `json:"more_options"`
	Href        string   `json:"href"`
	Context     string   `json:"context"`
	Order       string   `json:"order"`
}

// walked is what the walker tells of one document.
type walked struct {
	Items    []item `json:"items"`
	Suspects int    `json:"suspects"`
	Doc      string `json:"doc"`
	URL      string `json:"url"`
	Origin   string `json:"origin"`
	Title    string `json:"title"`
	Missing  bool   `json:"missing"`

	frame  Frame
	silent bool // the frame gave no answer
}

// frameTimeout is how long a child frame may take to tell its elements. A frame
// whose process is held by a dialog of another tab never answers.
const frameTimeout = 3 * time.Second

// walkersAtOnce bounds the frames of a page that are walked at the same time.
const walkersAtOnce = 8

// collect walks frames at the same time; the result is in the frames' order.
// Only the first one must answer.
func (r *run) collect(frames []Frame, args map[string]any) ([]*walked, error) {
	out := make([]*walked, len(frames))
	limit := make(chan struct{}, walkersAtOnce)
	var wg sync.WaitGroup
	for i, f := range frames[1:] {
		limit <- struct{}{}
		wg.Go(func() {
			defer func() { <-limit }()
			ctx, cancel := context.WithTimeout(r.ctx, frameTimeout)
			defer cancel()
			w, err := r.walk(ctx, f, nil)
			if err != nil {
				w = &walked{frame: f, silent: ctx.Err() != nil && r.ctx.Err() == nil}
			}
			out[i+1] = w
		})
	}
	first, err := r.walk(r.ctx, frames[0], args)
	wg.Wait()
	out[0] = first
	return out, err
}

// walk tells the elements of one frame's document, those in closed shadow roots included.
func (r *run) walk(ctx context.Context, f Frame, args map[string]any) (*walked, error) {
	if args == nil {
		args = map[string]any{}
	}
	for depth := 0; ; depth++ {
		w := &walked{frame: f}
		if _, err := r.ask(ctx, f, "", "walk", args, w); err != nil {
			return nil, err
		}
		if w.Suspects == 0 || depth == closedDepth {
			return w, nil
		}
		if found, err := r.learnClosed(ctx, f); err != nil || !found {
			return w, err
		}
		r.learned.Store(true)
	}
}
