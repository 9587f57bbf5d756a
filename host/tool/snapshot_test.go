package tool

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"cdphost/host/dialog"
	"cdphost/host/page"
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

// A page that can't be read costs the snapshot its text and nothing else.
func TestSnapshotOfAnUnreadablePage(t *testing.T) {
	t.Parallel()
	k, task, _ := bench()
	task.elements = func(context.Context) (*page.Elements, error) {
		task.open(confirm("d-1", "F-TOP"))
		return nil, fault.New(fault.BlockedByDialog, "A dialog opened.")
	}
	res, err := k.snapshot(t.Context(), callOf(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	reply := res.Structured.(*snapshotReply)
	if !reply.Blocked || reply.TextError != "A dialog opened." || len(reply.Pending) != 1 {
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
	k, task, _ := bench()
	ctx, cancel := context.WithCancel(t.Context())
	task.elements = func(ctx context.Context) (*page.Elements, error) {
		cancel()
		<-ctx.Done()
		return nil, ctx.Err()
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
	inner := Fail(errors.New("password=hunter2")).Structured.(Failure)
	if inner.Code != fault.InternalError || inner.Message == "password=hunter2" {
		t.Errorf("an inner error shows as %+v", inner)
	}
}
