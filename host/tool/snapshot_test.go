package tool

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"cdphost/host/dialog"
	"cdphost/host/supervisor"
	"cdphost/sdk/fault"
)

var noon = time.Unix(1650000000, 100_000_000)

func TestSnapshot(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, args string
		prepare    func(*fakeTask)
	}{
		{"snapshot", `{}`, nil},
		{"snapshot_no_text", `{"text":false}`, nil},
		{"snapshot_console", `{"console":true,"text":false}`, func(f *fakeTask) {
			f.console = []supervisor.ConsoleEntry{
				{Time: noon, Level: "error", Text: "boom", TabID: "t1", URL: "http://shop.test/a.js", Line: 7, FrameID: "F-TOP"},
				{Time: noon, Level: "error", Text: "elsewhere", TabID: "t9"},
			}
		}},
		{"snapshot_blocked", `{}`, func(f *fakeTask) {
			d := confirm("d-1", "F-TOP")
			d.OpenedAt = noon
			f.open(d)
		}},
		{"snapshot_recent", `{"text":false}`, func(f *fakeTask) {
			f.update(func(s *supervisor.Snapshot, _ *supervisor.Page) {
				d := confirm("d-1", "F-TOP")
				d.OpenedAt = noon
				s.Recent = []dialog.Closed{{Dialog: d, ClosedAt: noon.Add(time.Second), ClosedBy: dialog.AutoPolicy, Action: dialog.Dismiss}}
			})
		}},
		{"snapshot_no_frames", `{"text":false}`, func(f *fakeTask) {
			f.update(func(_ *supervisor.Snapshot, p *supervisor.Page) { p.Frames = nil })
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			k, task, _ := bench()
			if tc.prepare != nil {
				tc.prepare(task)
			}
			res, err := k.snapshot(t.Context(), callOf(tc.args))
			if err != nil {
				t.Fatal(err)
			}
			if !res.Untrusted {
				t.Error("a snapshot is not marked as untrusted")
			}
			golden(t, tc.name, res.Structured)
		})
	}
}

func TestSnapshotErrors(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, args string
		code       fault.Code
	}{
		{"unknown task", `{"task_id":"other"}`, fault.TaskNotFound},
		{"unknown tab", `{"tab_id":"t7"}`, fault.TabNotFound},
		{"budget too small", `{"max_bytes":1}`, fault.InvalidArgument},
		{"unknown argument", `{"tab":"t1"}`, fault.InvalidArgument},
		{"wrong type", `{"console":"yes"}`, fault.InvalidArgument},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			k, _, _ := bench()
			if _, err := k.snapshot(t.Context(), callOf(tc.args)); fault.CodeOf(err) != tc.code {
				t.Errorf("err = %v, want %s", err, tc.code)
			}
		})
	}
}

// A dialog that opens while the text is read ends the reading, not the snapshot.
func TestSnapshotRacesWithDialog(t *testing.T) {
	t.Parallel()
	k, task, _ := bench()
	k.Elements = func(ctx context.Context, _ Task, _ string, _ int) (Elements, error) {
		task.open(confirm("d-1", "F-TOP"))
		<-ctx.Done()
		return Elements{}, ctx.Err()
	}
	res, err := k.snapshot(t.Context(), callOf(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	reply := res.Structured.(*snapshotReply) //nolint:forcetypeassert // a panic fails the test
	if !reply.Blocked || reply.TextError == "" || len(reply.Pending) != 1 {
		t.Errorf("reply = %+v", reply)
	}
}

// A dialog that its policy closes at once ends nothing.
func TestSnapshotOutlivesADecidedDialog(t *testing.T) {
	t.Parallel()
	k, task, _ := bench()
	k.Elements = func(ctx context.Context, _ Task, _ string, _ int) (Elements, error) {
		d := confirm("d-1", "F-TOP")
		d.Deciding = true
		task.open(d)
		task.update(func(s *supervisor.Snapshot, p *supervisor.Page) { s.Pending, p.BlockedBy = nil, "" })
		return Elements{Text: "read"}, ctx.Err()
	}
	res, err := k.snapshot(t.Context(), callOf(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	if reply := res.Structured.(*snapshotReply); reply.Blocked || reply.Text != "read" || reply.TextError != "" { //nolint:forcetypeassert // a panic fails the test
		t.Errorf("reply = %+v", reply)
	}
}

func TestSnapshotAsks(t *testing.T) {
	t.Parallel()
	k, task, _ := bench()
	d := confirm("d-1", "F-TOP")
	d.Ask = true
	task.open(d)
	res, err := k.snapshot(t.Context(), callOf(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "question", res.Ask)
}

func TestSnapshotCancelled(t *testing.T) {
	t.Parallel()
	k, _, _ := bench()
	ctx, cancel := context.WithCancel(t.Context())
	k.Elements = func(ctx context.Context, _ Task, _ string, _ int) (Elements, error) {
		cancel()
		<-ctx.Done()
		return Elements{}, ctx.Err()
	}
	if _, err := k.snapshot(ctx, callOf(`{}`)); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
}

func TestFailureJSON(t *testing.T) {
	t.Parallel()
	data, err := json.Marshal(Fail(fault.New(fault.NoDialog, "None.").With("pending", []string{}).With("code", "x")).Structured)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"success":false,"error":{"code":"no_dialog","message":"None.","pending":[]}}`
	if string(data) != want {
		t.Errorf("got %s", data)
	}
	inner := Fail(errors.New("password=hunter2")).Structured.(Failure) //nolint:forcetypeassert // a panic fails the test
	if inner.Code != fault.InternalError || inner.Message == "password=hunter2" {
		t.Errorf("an inner error shows as %+v", inner)
	}
}
