package frame

import (
	"encoding/json"
	"unicode/utf8"
)

// treeURLCap is the number of bytes of a URL that an agent is shown.
const treeURLCap = 2048

// AppendJSON appends the JSON of z.Tree(l) to dst.
func (z *Frozen) AppendJSON(dst []byte, l Limits) []byte {
	top := z.Top()
	dst = appendTop(dst, TreeTop{FrameID: top.ID, URL: text(top.URL, treeURLCap), Origin: top.Origin})
	first := true
	truncated := z.visible(l, func(f *Frame) {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = appendChild(dst, TreeChild{
			FrameID: f.ID, URL: text(f.URL, treeURLCap), IsOOPIF: f.OOPIF, SessionID: f.SessionID,
			ParentFrameID: f.ParentID, Crashed: f.Crashed,
		})
	})
	return appendEnd(dst, truncated)
}

// MarshalJSON gives frame_tree.
func (t Tree) MarshalJSON() ([]byte, error) {
	dst := appendTop(nil, t.Top)
	for i, c := range t.Children {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendChild(dst, c)
	}
	return appendEnd(dst, t.Truncated), nil
}

func appendTop(dst []byte, t TreeTop) []byte {
	dst = append(dst, `{"top":{"frame_id":`...)
	dst = appendString(dst, t.FrameID)
	dst = append(dst, `,"url":`...)
	dst = appendString(dst, t.URL)
	dst = append(dst, `,"origin":`...)
	dst = appendString(dst, t.Origin)
	return append(dst, `},"children":[`...)
}

func appendChild(dst []byte, c TreeChild) []byte {
	dst = append(dst, `{"frame_id":`...)
	dst = appendString(dst, c.FrameID)
	dst = append(dst, `,"url":`...)
	dst = appendString(dst, c.URL)
	if c.IsOOPIF {
		dst = append(dst, `,"is_oopif":true`...)
	} else {
		dst = append(dst, `,"is_oopif":false`...)
	}
	if c.SessionID != "" {
		dst = append(dst, `,"session_id":`...)
		dst = appendString(dst, c.SessionID)
	}
	dst = append(dst, `,"parent_frame_id":`...)
	dst = appendString(dst, c.ParentFrameID)
	if c.Crashed {
		dst = append(dst, `,"crashed":true`...)
	}
	return append(dst, '}')
}

func appendEnd(dst []byte, truncated bool) []byte {
	if truncated {
		return append(dst, `],"truncated":true}`...)
	}
	return append(dst, `],"truncated":false}`...)
}

// appendString appends s as a JSON string. Ids and almost all URLs need no escape.
func appendString(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			quoted, _ := json.Marshal(s) // a string always marshals
			return append(dst, quoted...)
		}
	}
	dst = append(dst, '"')
	dst = append(dst, s...)
	return append(dst, '"')
}
