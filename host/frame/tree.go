package frame

const (
	// DefaultMaxChildren is the number of frames below the top one that a Tree shows.
	DefaultMaxChildren = 30
	// DefaultMaxOOPIFDepth is how many process boundaries below the top frame a Tree
	// follows.
	DefaultMaxOOPIFDepth = 2
)

// Limits bound a Tree. Zero means the default, less than zero no limit.
type Limits struct {
	MaxChildren   int
	MaxOOPIFDepth int
}

// Tree is frame_tree as agents see it.
type Tree struct {
	Top       TreeTop
	Children  []TreeChild // flat, in document order
	Truncated bool        // frames were left out
}

// TreeTop is the top frame in a Tree.
type TreeTop struct {
	FrameID string
	URL     string
	Origin  string
}

// TreeChild is any other frame in a Tree.
type TreeChild struct {
	FrameID       string
	URL           string
	IsOOPIF       bool
	SessionID     string // of an OOPIF
	ParentFrameID string
	Crashed       bool
}

// Tree returns the frames within limits. Frames below one that is left out are
// left out too.
func (z *Frozen) Tree(l Limits) Tree {
	top := z.Top()
	t := Tree{Top: TreeTop{FrameID: top.ID, URL: text(top.URL, treeURLCap), Origin: top.Origin}}
	t.Truncated = z.visible(l, func(f *Frame) {
		t.Children = append(t.Children, TreeChild{
			FrameID: f.ID, URL: text(f.URL, treeURLCap), IsOOPIF: f.OOPIF, SessionID: f.SessionID,
			ParentFrameID: f.ParentID, Crashed: f.Crashed,
		})
	})
	return t
}

// visible calls show for every frame below the top one that is within limits, in
// document order, and reports whether some are not.
func (z *Frozen) visible(l Limits, show func(*Frame)) (truncated bool) {
	if z == nil {
		return false
	}
	children, depth := l.MaxChildren, l.MaxOOPIFDepth
	if children == 0 {
		children = DefaultMaxChildren
	}
	if depth == 0 {
		depth = DefaultMaxOOPIFDepth
	}
	truncated = z.dropped > 0
	var depths []int // process boundaries above the frame at each level
	shown := 0
	for _, it := range z.order {
		if it.level == 0 {
			depths = append(depths[:0], 0)
			continue
		}
		d := depths[it.level-1]
		if it.OOPIF {
			d++
		}
		depths = append(depths[:it.level], d)
		if depth > 0 && d > depth {
			truncated = true
			continue
		}
		if children > 0 && shown == children {
			return true
		}
		shown++
		show(it.Frame)
	}
	return truncated
}
