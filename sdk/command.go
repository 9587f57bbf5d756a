package sdk

import (
	"encoding/json"

	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
)

// Command is one CDP command. An empty SessionID is the browser level, where
// Target.* lives.
type Command struct {
	SessionID string
	Method    string
	Params    json.RawMessage
}

// Facts is what the host has read from the browser so far of the place that a
// command would act on.
type Facts struct {
	Epoch      uint64
	SessionID  string
	TargetID   string
	TabID      string
	FrameID    string
	LoaderID   string
	Origin     string
	URL        string
	Title      string
	DialogOpen bool
}

// The names of the fields of Facts, for Filter.Compare and WithCompare.
const (
	FactEpoch      = "epoch"
	FactSession    = "session_id"
	FactTarget     = "target_id"
	FactFrame      = "frame_id"
	FactLoader     = "loader_id"
	FactOrigin     = "origin"
	FactURL        = "url"
	FactTitle      = "title"
	FactDialogOpen = "dialog_open"
)

func commandFrom(c *pluginv1.Command) Command {
	return Command{SessionID: c.GetSessionId(), Method: c.GetMethod(), Params: c.GetParams()}
}

func (c Command) wire() *pluginv1.Command {
	return &pluginv1.Command{SessionId: c.SessionID, Method: c.Method, Params: c.Params}
}

func factsFrom(f *pluginv1.Facts) Facts {
	return Facts{
		Epoch: f.GetEpoch(), SessionID: f.GetSessionId(), TargetID: f.GetTargetId(), TabID: f.GetTabId(),
		FrameID: f.GetFrameId(), LoaderID: f.GetLoaderId(), Origin: f.GetOrigin(), URL: f.GetUrl(),
		Title: f.GetTitle(), DialogOpen: f.GetDialogOpen(),
	}
}
