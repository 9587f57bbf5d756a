package capture

import "slices"

// Facts is what the host has read so far of the place that a command would act
// on. A browser-level command has no session, frame or page.
type Facts struct {
	Epoch      uint64
	SessionID  string
	TargetID   string
	TabID      string
	FrameID    string // the root frame of the session
	LoaderID   string // its document
	Origin     string
	URL        string
	Title      string
	DialogOpen bool // a dialog blocks the page
}

// Field names one field of Facts.
type Field string

// The fields that validators can have compared.
const (
	FieldEpoch      Field = "epoch"
	FieldSession    Field = "session_id"
	FieldTarget     Field = "target_id"
	FieldFrame      Field = "frame_id"
	FieldLoader     Field = "loader_id"
	FieldOrigin     Field = "origin"
	FieldURL        Field = "url"
	FieldTitle      Field = "title"
	FieldDialogOpen Field = "dialog_open"
)

// DefaultFields are compared when a validator declares none. Url and title are
// not among them: pages change both as they please without another document.
var DefaultFields = []Field{
	FieldEpoch, FieldSession, FieldTarget, FieldFrame, FieldLoader, FieldOrigin, FieldDialogOpen,
}

// AllFields lists every Field.
var AllFields = append(slices.Clone(DefaultFields), FieldURL, FieldTitle)

// agree reports whether f and g are equal in the given fields.
func (f *Facts) agree(g *Facts, fields []Field) bool {
	for _, name := range fields {
		var same bool
		switch name {
		case FieldEpoch:
			same = f.Epoch == g.Epoch
		case FieldSession:
			same = f.SessionID == g.SessionID
		case FieldTarget:
			same = f.TargetID == g.TargetID
		case FieldFrame:
			same = f.FrameID == g.FrameID
		case FieldLoader:
			same = f.LoaderID == g.LoaderID
		case FieldOrigin:
			same = f.Origin == g.Origin
		case FieldURL:
			same = f.URL == g.URL
		case FieldTitle:
			same = f.Title == g.Title
		case FieldDialogOpen:
			same = f.DialogOpen == g.DialogOpen
		}
		if !same {
			return false
		}
	}
	return true
}

// facts reads what is known of the place that a session leads to.
func (h *Handle) facts(sessionID string) Facts {
	snap := h.sup.Snapshot()
	f := Facts{Epoch: snap.Epoch, SessionID: sessionID}
	if sessionID == "" {
		return f
	}
	t, ok := h.sup.TargetOf(sessionID)
	if !ok {
		return f
	}
	p, fr, ok := snap.Frame(t.TargetID) // a frame with a session has its target's id
	if !ok {
		if p, ok = snap.PageByTarget(t.PageID); !ok {
			return f
		}
		fr = p.Frames.Top()
	}
	f.TargetID, f.TabID, f.FrameID = t.TargetID, p.TabID, fr.ID
	f.LoaderID, f.Origin, f.URL, f.Title = fr.LoaderID, fr.Origin, fr.URL, p.Title
	f.DialogOpen = p.BlockedBy != ""
	if fr.Top {
		f.LoaderID, f.URL = p.LoaderID, p.URL
	}
	return f
}
