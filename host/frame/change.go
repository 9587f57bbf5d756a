package frame

// Kind is what an event did to the table.
type Kind int

// Kinds of changes.
const (
	None      Kind = iota
	Attached       // a frame is new, or local again
	Navigated      // a frame shows another document
	Moved          // a frame's URL changed within its document
	Started        // a navigation began; nothing has changed yet
	Swapped        // a frame moved to another process
	Removed        // a frame is gone
	Contexts       // execution contexts came or went
	Crashed        // a frame's process died
	Revived        // a crashed process was replaced
	Sessions       // a frame got or lost its session
)

// Change tells what an event did.
type Change struct {
	Kind     Kind
	Frame    string // the frame that the event is about
	Top      bool   // whether that is the top frame
	LoaderID string // with Navigated and Started
	URL      string // with Navigated, Moved and Started
	// Gone are the frames that left the table, the event's own included.
	Gone []string
	// Reseed asks for a Page.getFrameTree of the session, because the event
	// brought back frames without naming them.
	Reseed bool
}
