package sdk

import pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"

// Task names a task: the caller that it belongs to and the id that the caller
// gave it. It is comparable.
type Task struct {
	Caller string
	ID     string
}

// String returns "caller/id".
func (t Task) String() string { return t.Caller + "/" + t.ID }

func taskFrom(t *pluginv1.Task) Task { return Task{Caller: t.GetCaller(), ID: t.GetId()} }

func (t Task) wire() *pluginv1.Task { return &pluginv1.Task{Caller: t.Caller, Id: t.ID} }
