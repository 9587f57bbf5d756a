package tool

import (
	"strings"
	"testing"
	"time"

	"cdphost/host/dialog"
	"cdphost/sdk/fault"
)

func TestDialog(t *testing.T) {
	t.Parallel()
	k, task, _ := bench()
	task.answer = func(id, action string, text *string) (dialog.Closed, error) {
		if id != "d-1" || action != "accept" || text == nil || *text != "Enjoy" {
			t.Errorf("answered %q %q %v", id, action, text)
		}
		d := confirm("d-1", "F-TOP")
		d.Type, d.OpenedAt = dialog.Prompt, noon
		return dialog.Closed{Dialog: d, ClosedAt: noon.Add(time.Second), ClosedBy: dialog.Agent, Action: dialog.Accept, UserInput: "Enjoy"}, nil
	}
	res, err := k.dialog(t.Context(), callOf(`{"action":"accept","prompt_text":"Enjoy","dialog_id":"d-1"}`))
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "dialog", res.Structured)
}

func TestDialogNotes(t *testing.T) {
	t.Parallel()
	text := "x"
	stay := dialog.Closed{Action: dialog.Dismiss}
	stay.Type = dialog.BeforeUnload
	if got := dialogNote(&stay, nil); !strings.Contains(got, "page stays") {
		t.Errorf("beforeunload: %q", got)
	}
	alert := dialog.Closed{Action: dialog.Accept}
	alert.Type = dialog.Alert
	if got := dialogNote(&alert, &text); !strings.Contains(got, "not used") {
		t.Errorf("alert with text: %q", got)
	}
}

func TestDialogErrors(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, args string
		code       fault.Code
		says       string
	}{
		{"bad action", `{"action":"ok"}`, fault.InvalidArgument, `"accept" or "dismiss"`},
		{"no action", `{}`, fault.InvalidArgument, `"accept" or "dismiss"`},
		{"unknown task", `{"action":"accept","task_id":"x"}`, fault.TaskNotFound, "default"},
		{"none pending", `{"action":"accept"}`, fault.NoDialog, "No dialog"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			k, task, _ := bench()
			task.answer = func(string, string, *string) (dialog.Closed, error) {
				return dialog.Closed{}, fault.New(fault.NoDialog, "No dialog is open.")
			}
			_, err := k.dialog(t.Context(), callOf(tc.args))
			if fault.CodeOf(err) != tc.code || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("err = %v, want %s saying %q", err, tc.code, tc.says)
			}
		})
	}
}
