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
	Old         bool     `json:"old"` // an earlier walk, named by since, had it
}

// walked is what the walker tells of one document.
type walked struct {
	Items []item `json:"items"`
	// Count is the number of elements to act on, Cut whether Items lacks some.
	Count int  `json:"count"`
	Cut   bool `json:"cut"`
	// Elements is the number of all elements of the document, shadow roots left out.
	Elements int    `json:"elements"`
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
// Only the first one must answer. Closed shadow roots are found first.
func (r *run) collect(frames []Frame, first, others map[string]any) ([]*walked, error) {
	out := make([]*walked, len(frames))
	counts := r.countAll(frames)
	limit := make(chan struct{}, walkersAtOnce)
	var wg sync.WaitGroup
	for i, f := range frames[1:] {
		limit <- struct{}{}
		wg.Go(func() {
			defer func() { <-limit }()
			out[i+1] = r.walkChild(f, others)
		})
	}
	top, err := r.walk(r.ctx, frames[0], first)
	wg.Wait()
	out[0] = top
	if err != nil || !r.learnClosed(frames, out, counts()) {
		return out, err
	}
	r.learned.Store(true)
	for i, f := range frames[1:] {
		out[i+1] = r.walkChild(f, others)
	}
	out[0], err = r.walk(r.ctx, frames[0], first)
	return out, err
}

func (r *run) walkChild(f Frame, args map[string]any) *walked {
	ctx, cancel := context.WithTimeout(r.ctx, frameTimeout)
	defer cancel()
	w, err := r.walk(ctx, f, args)
	if err != nil {
		return &walked{frame: f, silent: ctx.Err() != nil && r.ctx.Err() == nil}
	}
	return w
}

// walk tells the elements of one frame's document.
func (r *run) walk(ctx context.Context, f Frame, args map[string]any) (*walked, error) {
	if args == nil {
		args = map[string]any{}
	}
	w := &walked{frame: f}
	if _, err := r.ask(ctx, f, "", "walk", args, w); err != nil {
		return nil, err
	}
	return w, nil
}
