package page

// controlOrMeta is the modifier of the platform's short cuts.
const controlOrMeta = modMeta

// editing names the editor commands that a chord means to the platform, because
// macOS resolves them outside the page.
func editing(c chord) []string {
	if c.mask != modMeta {
		return nil
	}
	switch c.code {
	case "KeyA":
		return []string{"selectAll"}
	case "KeyC":
		return []string{"copy"}
	case "KeyX":
		return []string{"cut"}
	case "KeyV":
		return []string{"paste"}
	case "KeyZ":
		return []string{"undo"}
	}
	return nil
}
