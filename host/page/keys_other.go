//go:build !darwin

package page

// controlOrMeta is the modifier of the platform's short cuts.
const controlOrMeta = modControl

// editing names the editor commands that a chord means to the platform; here
// the browser knows them itself.
func editing(chord) []string { return nil }
