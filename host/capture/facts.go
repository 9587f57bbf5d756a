package capture

import (
	"slices"

	"cdphost/host/supervisor"
)

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

// factsOf reads the facts of a session from a snapshot.
func factsOf(snap *supervisor.Snapshot, sessionID string) Facts {
	f := Facts{Epoch: snap.Epoch, SessionID: sessionID}
	if sessionID == "" {
		return f
	}
	for _, p := range snap.Pages {
		if p.SessionID == sessionID {
			top := p.Frames.Top()
			f.TargetID, f.TabID, f.FrameID = p.TargetID, p.TabID, top.ID
			f.LoaderID, f.Origin, f.URL, f.Title = p.LoaderID, top.Origin, p.URL, p.Title
			f.DialogOpen = p.BlockedBy != ""
			return f
		}
	}
	for _, p := range snap.Pages {
		for fr := range p.Frames.Frames() {
			if fr.SessionID == sessionID {
				f.TargetID, f.TabID, f.FrameID = fr.ID, p.TabID, fr.ID
				f.LoaderID, f.Origin, f.URL, f.Title = fr.LoaderID, fr.Origin, fr.URL, p.Title
				f.DialogOpen = p.BlockedBy != ""
				return f
			}
		}
	}
	return f
}
