package page

import (
	"encoding/json"
	"fmt"

	"cdphost/sdk/fault"
)

var screenshot = &action{
	name: "screenshot",
	line: "picture of what is in view, of an element, or of the full_page; labels draws uids on the elements.",
	schema: takes("screenshot", onElement(may("full_page", flag()),
		may("labels", flag()))...),
	do: perform(doScreenshot),
}

type screenshotArgs struct {
	element
	FullPage bool `json:"full_page"`
	Labels   bool `json:"labels"`
}

// view is what the walker tells of a frame's viewport, in CSS px.
type view struct {
	Width      float64 `json:"width"`
	Height     float64 `json:"height"`
	PageWidth  float64 `json:"page_width"`
	PageHeight float64 `json:"page_height"`
	X          float64 `json:"x"`
	Y          float64 `json:"y"`
}

// rect is a box in CSS px.
type rect struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

const (
	// fullHeight is the highest page that is pictured whole, in CSS px; more is
	// cut, because models scale pictures down until nothing can be read.
	fullHeight = 16_000

	// pngAtMost is the size in bytes above which a picture is made JPEG.
	pngAtMost = 1 << 20
)

func doScreenshot(r *run, a screenshotArgs) (any, error) {
	if a.given() && a.FullPage {
		return nil, fault.New(fault.InvalidAction, "screenshot takes an element or full_page, not both")
	}
	tab, err := r.tab()
	if err != nil {
		return nil, err
	}
	top := tab.Top()
	var uid string
	var box rect
	if a.given() {
		l, err := r.locate(a.element, shown)
		if err != nil {
			return nil, err
		}
		if box, err = r.boxOf(l); err != nil {
			return nil, err
		}
		uid = r.handle(l)
	}
	var v view
	if _, err := r.ask(r.ctx, top, "", "view", nil, &v); err != nil {
		return nil, err
	}
	area := rect{X: v.X, Y: v.Y, Width: v.Width, Height: v.Height}
	out := map[string]any{}
	switch {
	case a.given():
		area = rect{X: box.X + v.X, Y: box.Y + v.Y, Width: max(box.Width, 1), Height: max(box.Height, 1)}
		out["uid"] = uid
	case a.FullPage:
		area = rect{Width: v.PageWidth, Height: min(v.PageHeight, fullHeight)}
		if v.PageHeight > fullHeight {
			out["cut_at"] = fullHeight
		}
	}
	image, err := r.capture(tab.Session, area, a.given() || a.FullPage)
	if err != nil {
		return nil, err
	}
	if a.Labels {
		labels, err := r.labels(tab, v, area)
		if err != nil {
			return nil, err
		}
		if image, err = drawLabels(image, labels, area); err != nil {
			return nil, fmt.Errorf("drawing labels: %w", err)
		}
		out["labels"] = len(labels)
	}
	if len(image) > pngAtMost {
		image, err = toJPEG(image)
		if err != nil {
			return nil, fmt.Errorf("encoding the picture: %w", err)
		}
		r.images = append(r.images, Image{MIME: "image/jpeg", Data: image})
	} else {
		r.images = append(r.images, Image{MIME: "image/png", Data: image})
	}
	out["width"], out["height"] = int(area.Width), int(area.Height)
	return out, nil
}

// boxOf scrolls an element into view and returns its box in the page's viewport.
func (r *run) boxOf(l *located) (rect, error) {
	if err := r.told(l, "scroll", map[string]any{}, nil); err != nil {
		return rect{}, err
	}
	var boxes []*rect
	if err := r.told(l, "rects", map[string]any{"numbers": []int{l.N}}, &boxes); err != nil {
		return rect{}, err
	}
	if len(boxes) != 1 || boxes[0] == nil {
		return rect{}, fault.New(fault.Timeout, "%s has no size; extract and look", l.title())
	}
	box := *boxes[0]
	x, y, err := r.toTop(l.frame, box.X, box.Y, l.frame.ParentID != "")
	if err != nil && fault.CodeOf(err) == fault.ElementObscured {
		x, y, err = r.toTop(l.frame, box.X, box.Y, false) // a covered one is pictured as it looks
	}
	box.X, box.Y = x, y
	return box, err
}

// capture is Page.captureScreenshot of an area given in page coordinates.
func (r *run) capture(session string, area rect, beyond bool) ([]byte, error) {
	params := map[string]any{"format": "png", "optimizeForSpeed": true}
	if beyond {
		params["clip"] = map[string]any{"x": area.X, "y": area.Y, "width": area.Width, "height": area.Height, "scale": 1}
		params["captureBeyondViewport"] = true
	}
	raw, err := r.call(session, "Page.captureScreenshot", params)
	if err != nil {
		return nil, err
	}
	var reply struct {
		Data []byte `json:"data"`
	}
	if err := json.Unmarshal(raw, &reply); err != nil {
		return nil, err
	}
	return reply.Data, nil
}
