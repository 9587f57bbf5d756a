package config

import (
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// nearest follows path from n as far as it goes.
func nearest(n *yaml.Node, path string) *yaml.Node {
	for path != "" {
		next, rest := step(n, path)
		if next == nil {
			break
		}
		n, path = next, rest
	}
	return n
}

// step follows the first part of path: the longest key of a mapping that path
// begins with (keys may hold dots), or the index of a list as [2] or .2.
func step(n *yaml.Node, path string) (next *yaml.Node, rest string) {
	path = strings.TrimPrefix(path, ".")
	if n.Kind == yaml.SequenceNode {
		index, rest := cutIndex(path)
		if index < 0 || index >= len(n.Content) {
			return nil, ""
		}
		return n.Content[index], rest
	}
	if n.Kind != yaml.MappingNode {
		return nil, ""
	}
	longest := -1
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i].Value
		after, ok := strings.CutPrefix(path, key)
		if ok && len(key) > longest && (after == "" || after[0] == '.' || after[0] == '[') {
			next, rest, longest = n.Content[i+1], after, len(key)
		}
	}
	return next, rest
}

// cutIndex takes a list index off the front of path; -1 means there is none.
func cutIndex(path string) (index int, rest string) {
	number, bracketed := strings.CutPrefix(path, "[")
	end := strings.IndexFunc(number, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(number)
	}
	index, err := strconv.Atoi(number[:end])
	if err != nil {
		return -1, ""
	}
	rest = number[end:]
	if bracketed {
		var closed bool
		if rest, closed = strings.CutPrefix(rest, "]"); !closed {
			return -1, ""
		}
	}
	return index, rest
}
