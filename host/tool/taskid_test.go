package tool

import (
	"regexp"
	"strings"
	"testing"

	"cdphost/sdk/fault"
)

func TestTaskID(t *testing.T) {
	t.Parallel()
	stdio := Call{Caller: "local"}
	session := Call{Caller: "local", Session: "SESSION-SECRET"}
	stateless := Call{Caller: "ada", Stateless: true}
	for _, tc := range []struct {
		name   string
		call   Call
		given  string
		starts bool
		tasks  []string
		want   string // a pattern
		code   fault.Code
		says   string
	}{
		{"stdio starts", stdio, "", true, nil, "default", "", ""},
		{"stdio has none", stdio, "", false, nil, "", fault.TaskNotFound, "browser_navigate"},
		{"stdio goes on", stdio, "", false, []string{"default", "b"}, "default", "", ""},
		{"stdio without its default", stdio, "", false, []string{"b"}, "", fault.TaskNotFound, "Your tasks: b"},
		{"session starts its own", session, "", true, []string{"b"}, "session-[0-9a-f]{12}", "", ""},
		{"session has none", session, "", false, []string{"b"}, "", fault.TaskNotFound, "Your tasks: b"},
		{"stateless starts a fresh one", stateless, "", true, []string{"b"}, "task-[a-z2-7]{10}", "", ""},
		{"stateless takes the only one", stateless, "", false, []string{"b"}, "b", "", ""},
		{"stateless has none", stateless, "", false, nil, "", fault.TaskNotFound, "browser_navigate"},
		{"stateless has several", stateless, "", false, []string{"b", "a"}, "", fault.InvalidArgument, "a, b"},
		{"a new name", stateless, "mine", true, nil, "mine", "", ""},
		{"an unknown name", session, "mine", false, []string{"b"}, "", fault.TaskNotFound, "Your tasks: b"},
		{"a known name", session, "b", false, []string{"b"}, "b", "", ""},
		{"a bad name", stdio, "../x", true, nil, "", fault.InvalidArgument, "task_id must be"},
		{"a long name", stdio, strings.Repeat("x", 129), true, nil, "", fault.InvalidArgument, "task_id must be"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got, err := TaskID(&tc.call, tc.given, tc.starts, func() []string { return tc.tasks })
			if fault.CodeOf(err) != tc.code {
				t.Fatalf("err = %v, want %s", err, tc.code)
			}
			if err != nil {
				if !strings.Contains(err.Error(), tc.says) {
					t.Errorf("%v does not say %q", err, tc.says)
				}
				return
			}
			if !regexp.MustCompile("^" + tc.want + "$").MatchString(got) {
				t.Errorf("id %q, want %q", got, tc.want)
			}
		})
	}
}

func TestSessionTaskIsStableAndHidesTheSession(t *testing.T) {
	t.Parallel()
	a, b := sessionTask("SESSION-SECRET"), sessionTask("SESSION-SECRET")
	if a != b || a == sessionTask("OTHER") || strings.Contains(a, "SECRET") {
		t.Errorf("%q, %q", a, b)
	}
}
