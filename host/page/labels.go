package page

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"strings"
)

// label is a uid and where its element is, in page coordinates.
type label struct {
	uid string
	at  rect
}

// labels finds the elements in an area of the page.
func (r *run) labels(tab *Tab, v view, area rect) ([]label, error) {
	docs, err := r.collect(tab.Frames, nil, nil)
	if err != nil {
		return nil, err
	}
	var out []label
	for _, doc := range docs {
		var numbers []int
		var items []*item
		for i := range doc.Items {
			if it := &doc.Items[i]; it.Role != "heading" && it.Role != "iframe" {
				numbers, items = append(numbers, it.N), append(items, it)
			}
		}
		if len(numbers) == 0 {
			continue
		}
		var boxes []*rect
		if _, err := r.ask(r.ctx, doc.frame, doc.Doc, "rects", map[string]any{"numbers": numbers}, &boxes); err != nil {
			continue // the frame went away
		}
		dx, dy, err := r.toTop(doc.frame, 0, 0, false)
		if err != nil {
			continue
		}
		for i, box := range boxes {
			if box == nil {
				continue
			}
			at := rect{X: box.X + dx + v.X, Y: box.Y + dy + v.Y, Width: box.Width, Height: box.Height}
			if at.X+at.Width < area.X || at.Y+at.Height < area.Y || at.X > area.X+area.Width || at.Y > area.Y+area.Height {
				continue
			}
			it := items[i]
			out = append(out, label{r.uids.of(tab.ID, node{doc.frame.ID, doc.Doc, it.N}, it.Role, it.Name, it.Context), at})
		}
	}
	return out, nil
}

var (
	labelInk   = image.NewUniform(color.RGBA{255, 255, 255, 255})
	labelPaper = image.NewUniform(color.RGBA{200, 0, 80, 255})
)

// drawLabels draws boxes and uids onto a picture of an area. It is done here and
// not in the page, so that the page never sees it.
func drawLabels(picture []byte, labels []label, area rect) ([]byte, error) {
	decoded, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		return nil, err
	}
	canvas, ok := decoded.(draw.Image)
	if !ok {
		copied := image.NewRGBA(decoded.Bounds())
		draw.Draw(copied, copied.Bounds(), decoded, image.Point{}, draw.Src)
		canvas = copied
	}
	scale := float64(canvas.Bounds().Dx()) / area.Width
	for _, l := range labels {
		box := image.Rect(int((l.at.X-area.X)*scale), int((l.at.Y-area.Y)*scale),
			int((l.at.X-area.X+l.at.Width)*scale), int((l.at.Y-area.Y+l.at.Height)*scale))
		frameBox(canvas, box)
		write(canvas, l.uid, image.Pt(max(box.Min.X, 0), max(box.Min.Y-glyphHeight-2, 0)))
	}
	var out bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&out, canvas)
	return out.Bytes(), err
}

func frameBox(canvas draw.Image, b image.Rectangle) {
	for _, side := range []image.Rectangle{
		{b.Min, image.Pt(b.Max.X, b.Min.Y+1)}, {image.Pt(b.Min.X, b.Max.Y-1), b.Max},
		{b.Min, image.Pt(b.Min.X+1, b.Max.Y)}, {image.Pt(b.Max.X-1, b.Min.Y), b.Max},
	} {
		draw.Draw(canvas, side, labelPaper, image.Point{}, draw.Src)
	}
}

// Glyphs of what uids are made of, doubled in size when drawn.
const (
	glyphWidth  = 8
	glyphHeight = 12
)

var glyphs = map[rune]string{
	'e': "###|#.#|###|#..|###",
	'0': "###|#.#|#.#|#.#|###", '1': ".#.|##.|.#.|.#.|###", '2': "###|..#|###|#..|###", '3': "###|..#|.##|..#|###",
	'4': "#.#|#.#|###|..#|..#", '5': "###|#..|###|..#|###", '6': "###|#..|###|#.#|###", '7': "###|..#|..#|.#.|.#.",
	'8': "###|#.#|###|#.#|###", '9': "###|#.#|###|..#|###",
}

func write(canvas draw.Image, s string, at image.Point) {
	draw.Draw(canvas, image.Rect(at.X, at.Y, at.X+len(s)*glyphWidth+2, at.Y+glyphHeight+1), labelPaper, image.Point{}, draw.Src)
	for i, c := range s {
		for y, row := range strings.Split(glyphs[c], "|") {
			for x, dot := range row {
				if dot == '#' {
					p := image.Pt(at.X+1+i*glyphWidth+2*x, at.Y+1+2*y)
					draw.Draw(canvas, image.Rectangle{p, p.Add(image.Pt(2, 2))}, labelInk, image.Point{}, draw.Src)
				}
			}
		}
	}
}

// jpegQuality keeps small print readable.
const jpegQuality = 80

func toJPEG(picture []byte) ([]byte, error) {
	decoded, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = jpeg.Encode(&out, decoded, &jpeg.Options{Quality: jpegQuality})
	return out.Bytes(), err
}
