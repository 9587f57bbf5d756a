package tool

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"

	"cdphost/sdk/fault"
)

// DefaultTask is the id of the task of a stdio client that names none.
const DefaultTask = "default"

var validTaskID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:@-]{0,127}$`)

// TaskID finds the task that a call means. given is its task_id argument, tasks
// lists the caller's tasks, starts says that the tool makes a task that does not
// exist. Without a task_id it is, in this order: the session's own task, the
// stdio client's DefaultTask, and for a call without any session a fresh task
// (when starts) or the caller's only one.
func TaskID(call *Call, given string, starts bool, tasks func() []string) (string, error) {
	switch {
	case given != "" && !validTaskID.MatchString(given):
		return "", fault.New(fault.InvalidArgument,
			"task_id must be 1 to 128 letters, digits and . _ : @ -, starting with a letter or digit.").With("argument", "task_id")
	case given != "":
		return known(given, starts, tasks)
	case call.Session != "":
		return known(sessionTask(call.Session), starts, tasks)
	case !call.Stateless:
		return known(DefaultTask, starts, tasks)
	case starts:
		return "task-" + strings.ToLower(rand.Text()[:10]), nil
	}
	switch ids := tasks(); len(ids) {
	case 0:
		return "", noTask()
	case 1:
		return ids[0], nil
	default:
		slices.Sort(ids)
		return "", fault.New(fault.InvalidArgument, "You have %d tasks; say which with task_id: %s.",
			len(ids), strings.Join(ids, ", ")).With("argument", "task_id").With("tasks", ids)
	}
}

func known(id string, starts bool, tasks func() []string) (string, error) {
	if starts {
		return id, nil
	}
	ids := tasks()
	if slices.Contains(ids, id) {
		return id, nil
	}
	if len(ids) == 0 {
		return "", noTask()
	}
	slices.Sort(ids)
	return "", fault.New(fault.TaskNotFound, "There is no task %q. Your tasks: %s. browser_navigate makes a new one.",
		id, strings.Join(ids, ", ")).With("tasks", ids)
}

func noTask() error {
	return fault.New(fault.TaskNotFound, "You have no task yet. Call browser_navigate, which makes one.").With("tasks", []string{})
}

// sessionTask names a session's own task without giving the session id away.
func sessionTask(session string) string {
	sum := sha256.Sum256([]byte(session))
	return "session-" + hex.EncodeToString(sum[:6])
}
