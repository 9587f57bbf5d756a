package cdp

import "regexp"

// What can be told of a message from its edges alone. At the end, as in scan,
// the last brace is the outermost object's, so what stands before it is too.
var (
	headID     = regexp.MustCompile(`^\s*\{\s*(?:"sessionId"\s*:\s*"[^"\\]*"\s*,\s*)?"id"\s*:\s*(\d+)\s*,`)
	headMethod = regexp.MustCompile(`^\s*\{\s*(?:"sessionId"\s*:\s*"[^"\\]*"\s*,\s*)?"method"\s*:\s*"([^"\\]*)"`)
	tailID     = regexp.MustCompile(`,\s*"id"\s*:\s*(\d+)\s*(?:,\s*"sessionId"\s*:\s*"[^"\\]*"\s*)?\}\s*$`)
	tailMethod = regexp.MustCompile(`,\s*"method"\s*:\s*"([^"\\]*)"\s*(?:,\s*"sessionId"\s*:\s*"[^"\\]*"\s*)?\}\s*$`)
)

// identify finds the id of the call that a skipped message answers, or else the
// method of the event that it was.
func (s *skipped) identify() (id int64, method string) {
	if m := headMethod.FindSubmatch(s.head); m != nil {
		return 0, string(m[1])
	}
	if m := headID.FindSubmatch(s.head); m != nil {
		return parseID(m[1]), ""
	}
	if m := tailID.FindSubmatch(s.tail); m != nil {
		return parseID(m[1]), ""
	}
	if m := tailMethod.FindSubmatch(s.tail); m != nil {
		return 0, string(m[1])
	}
	return 0, ""
}
