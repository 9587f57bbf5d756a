package suite

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"cdphost/sdk"
)

var eventChecks = []check{
	{
		name: "its events are valid", hook: sdk.HookEventSubscriber, run: eventsAreValid,
		advice: `name at least one event, as "Domain.event" or "Domain.*"; those of the host are in the domain Host`,
	},
	{
		name: "batches are taken", hook: sdk.HookEventSubscriber, run: batchesAreTaken,
		advice: "Deliver must return soon, whatever the params are, also for an empty batch that only tells of lost events",
	},
}

func eventsAreValid(_ context.Context, s *session) (string, error) {
	methods := s.declared.GetEvents().GetMethods()
	return strings.Join(methods, ", "), validMethods(methods)
}

func batchesAreTaken(ctx context.Context, s *session) (string, error) {
	var batch []sdk.Event
	for _, m := range s.declared.GetEvents().GetMethods() {
		domain, name, _ := strings.Cut(m, ".")
		if name == "*" || m == "*" {
			m = strings.TrimPrefix(domain, "*") + ".anything"
		}
		for _, params := range []string{`{}`, `null`, `[]`, `{"id":"d-1","type":"alert","frame":{"id":5}}`, ``} {
			batch = append(batch, sdk.Event{
				Task: task, Seq: uint64(len(batch) + 1), Time: time.Unix(1_700_000_000, 0), SessionID: "SESSION", TabID: "t1",
				Method: m, Params: json.RawMessage(params),
			})
		}
	}
	if err := s.ask.Deliver(ctx, 0, batch...); err != nil {
		return "", err
	}
	return fmt.Sprintf("%d events", len(batch)), s.ask.Deliver(ctx, 7)
}
