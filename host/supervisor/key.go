package supervisor

// Key names a task: the caller it belongs to and the id that the caller gave it.
type Key struct {
	Caller string `json:"caller"`
	TaskID string `json:"task_id"`
}

// String returns "caller/task_id", for logs.
func (k Key) String() string { return k.Caller + "/" + k.TaskID }
