package endpoint

// profileFolder is where a browser of this user keeps its profile, and its
// DevToolsActivePort while it can be debugged.
type profileFolder struct {
	browser string
	folder  string
}
