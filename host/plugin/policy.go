package plugin

import (
	"context"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"cdphost/host/dialog"
	"cdphost/host/supervisor"
	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
)

// softHook is after how long without an answer a plugin's health is checked.
const softHook = time.Second

// Policy returns the dialog policy of a name, whichever plugin offers it at the
// time of a call. It asks as long as the caller's context allows, and asks the
// next generation when a plugin dies meanwhile.
func (m *Manager) Policy(name string) supervisor.Policy {
	return policyClient{m: m, name: name}
}

type policyClient struct {
	m    *Manager
	name string
}

// Decide implements supervisor.Policy.
func (c policyClient) Decide(ctx context.Context, req supervisor.PolicyRequest) (dialog.Verdict, error) {
	in := &pluginv1.DecideRequest{
		Policy: c.name, Task: task(req.Task), Dialog: dialogMessage(&req.Dialog),
		TopUrl: req.TopURL, FrameKind: string(req.FrameKind),
	}
	find := func() (*unit, error) { return c.m.table.Load().policy(c.name) }
	out, err := invoke(ctx, find, invocation{hook: hookPolicy, soft: softHook, again: true},
		func(ctx context.Context, g *generation) (*pluginv1.DecideResponse, error) {
			return g.policy.Decide(ctx, in)
		})
	if err != nil {
		return dialog.Verdict{}, err
	}
	return dialog.Verdict{
		Do: out.GetDo(), Text: out.Text, Timeout: out.GetTimeout().AsDuration(),
		Then: dialog.Action(out.GetThen()), Reason: clean(out.GetReason(), 500),
	}, nil
}

func task(k supervisor.Key) *pluginv1.Task { return &pluginv1.Task{Caller: k.Caller, Id: k.TaskID} }

func dialogMessage(d *dialog.Dialog) *pluginv1.Dialog {
	return &pluginv1.Dialog{
		Id: d.ID, Type: string(d.Type), Message: d.Message, MessageTruncated: d.MessageTruncated,
		DefaultPrompt: d.DefaultPrompt, Url: d.URL, FrameId: d.FrameID, TabId: d.TabID,
		SessionId: d.SessionID, OpenedAt: timestamppb.New(d.OpenedAt), Bridge: d.Bridge,
	}
}
