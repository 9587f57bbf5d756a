package frames

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cdphost/host/cdp"
	"cdphost/host/cdp/cdptest"
	"cdphost/host/frame"
	"cdphost/host/tool"
)

// BenchmarkFrameCall compares, turn by turn in one run, browser_cdp with a frame_id
// with the round trip of the same command of a raw client on the same frame.
// "p50-extra-us" is what the tool costs, its router's process included; "p50-mcp-us"
// is the call of an MCP client over HTTP.
func BenchmarkFrameCall(b *testing.B) {
	s := site(b)
	for _, bench := range []struct{ name, suffix string }{{"oopif", "/leaf"}, {"same-process", "/other"}} {
		b.Run(bench.name, func(b *testing.B) {
			h := onShared(b, "evaluate")
			a := newAgent(b, h, s.URL("a.test", "/"))
			a.atTop(b, add("src="+s.URL("b.test", "/leaf")))
			a.atTop(b, add("src="+s.URL("a.test", "/other")))
			f := a.frame(b, bench.suffix)
			raw := cdptest.Dial(b, cdptest.SharedChrome(b).WSURL)
			target := f.ID
			if !f.OOPIF {
				target = a.page(b).TargetID
			}
			session := cdptest.Field(raw.Must(b, "", "Target.attachToTarget", cdptest.M{"targetId": target, "flatten": true}), "sessionId")
			evaluate := cdptest.M{"expression": "1"}
			args, err := json.Marshal(cdptest.M{"task_id": a.task, "method": "Runtime.evaluate", "frame_id": f.ID, "params": evaluate})
			if err != nil {
				b.Fatal(err)
			}
			own, _ := a.page(b).Frames.SessionOf(f.ID)
			command := cdp.Command{SessionID: own, Method: "Runtime.evaluate", Params: cdp.Marshal(evaluate)}
			handler, _ := h.catalog.Lookup("browser_cdp")
			sup := a.supervisor(b)
			ctx := context.Background()
			var tools, raws, links, clients samples
			for b.Loop() {
				raws.time(func() error { _, err := raw.Call(ctx, session, "Runtime.evaluate", evaluate); return err })
				links.time(func() error { _, err := sup.Call(ctx, command); return err })
				tools.time(func() error {
					_, err := handler.Handler(ctx, &tool.Call{Caller: a.key().Caller, Toolset: h.toolset, Args: args})
					return err
				})
				clients.time(func() error {
					_, err := h.client.CallTool(ctx, &mcp.CallToolParams{Name: "browser_cdp", Arguments: json.RawMessage(args)})
					return err
				})
			}
			if err := errors.Join(tools.err, raws.err, links.err, clients.err); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(raws.p50(), "p50-raw-us")
			b.ReportMetric(links.p50(), "p50-host-us")
			b.ReportMetric(tools.p50(), "p50-tool-us")
			b.ReportMetric(clients.p50(), "p50-mcp-us")
			b.ReportMetric(tools.p50()-raws.p50(), "p50-extra-us")
		})
	}
}

// samples are how long something took.
type samples struct {
	took []time.Duration
	err  error
}

func (s *samples) time(f func() error) {
	start := time.Now()
	if err := f(); err != nil {
		s.err = err
	}
	s.took = append(s.took, time.Since(start))
}

// p50 is the median in microseconds.
func (s *samples) p50() float64 {
	slices.Sort(s.took)
	return float64(s.took[len(s.took)/2].Nanoseconds()) / 1000
}

// BenchmarkSnapshotOfThousandFrames is browser_snapshot without text, as JSON, of a
// page of 1,000 frames, with the usual limits and with none.
func BenchmarkSnapshotOfThousandFrames(b *testing.B) {
	s := site(b)
	for name, limits := range map[string]frame.Limits{"usual": {}, "whole": everything} {
		b.Run(name, func(b *testing.B) {
			h := newHost(b, setup{registry: registry, wsURL: cdptest.SharedChrome(b).WSURL, plugin: router("error"), limits: limits})
			a := newAgent(b, h, s.URL("a.test", "/"))
			a.atTop(b, fmt.Sprintf("document.body.innerHTML='%s', 0", strings.Repeat("<iframe></iframe>", 1000)))
			a.await(b, "a thousand frames", hasFrames(1001))
			handler, _ := h.catalog.Lookup("browser_snapshot")
			args := json.RawMessage(`{"task_id":"` + a.task + `","text":false}`)
			for b.Loop() {
				res, err := handler.Handler(context.Background(), &tool.Call{Caller: a.key().Caller, Toolset: h.toolset, Args: args})
				if err != nil {
					b.Fatal(err)
				}
				data, err := json.Marshal(res.Structured)
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(len(data)))
			}
		})
	}
}
