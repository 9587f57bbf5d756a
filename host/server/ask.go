package server

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cdphost/host/tool"
	"cdphost/sdk/fault"
)

// AnswerFunc answers a pending dialog as the user said. text is nil when the
// user gave none.
type AnswerFunc func(ctx context.Context, caller string, q tool.Question, accept bool, text *string) error

// ask turns a reply with questions into an input request where the client can
// ask its user; the reply waits in the endpoint until the answers come. A tool
// never runs twice for this: the second round only takes the answers.
func (e *endpoint) ask(req *mcp.CallToolRequest, res *tool.Result) *mcp.CallToolResult {
	if len(res.Ask) == 0 || e.srv.opts.Answer == nil || !canAsk(req) {
		return result(res)
	}
	requests := make(mcp.InputRequestMap, len(res.Ask))
	for _, q := range res.Ask {
		requests[questionID(q)] = elicitation(q)
	}
	return &mcp.CallToolResult{InputRequests: requests, RequestState: e.asked.put(res)}
}

// canAsk reports whether the client can show a form and the reply can reach it.
func canAsk(req *mcp.CallToolRequest) bool {
	caps := req.ClientCapabilities()
	return caps != nil && caps.Elicitation != nil &&
		(caps.Elicitation.Form != nil || caps.Elicitation.URL == nil)
}

// answered is the second round: the users' answers close the dialogs, then the
// reply that waited goes out with what became of them.
func (e *endpoint) answered(ctx context.Context, req *mcp.CallToolRequest) *mcp.CallToolResult {
	res, ok := e.asked.take(req.Params.RequestState)
	if !ok {
		return result(tool.Fail(fault.New(fault.InvalidArgument,
			"This answer comes too late or twice. Call browser_snapshot to see which dialogs are pending.")))
	}
	out := result(res)
	for _, q := range res.Ask {
		answer, _ := req.Params.InputResponses[questionID(q)].(*mcp.ElicitResult)
		out.Content = append(out.Content, &mcp.TextContent{Text: e.settle(ctx, q, answer)})
	}
	return out
}

// settle carries one answer out and says in a sentence what happened.
func (e *endpoint) settle(ctx context.Context, q tool.Question, answer *mcp.ElicitResult) string {
	if answer == nil || answer.Action != "accept" {
		return fmt.Sprintf("The user did not answer dialog %s. It is still pending: answer it with browser_dialog.", q.DialogID)
	}
	accept := answer.Content["answer"] == choiceAccept
	var text *string
	if s, ok := answer.Content["text"].(string); ok && accept {
		text = &s
	}
	if err := e.srv.opts.Answer(ctx, e.caller, q, accept, text); err != nil {
		return fmt.Sprintf("The user answered dialog %s, but: %v", q.DialogID, err)
	}
	if accept {
		return fmt.Sprintf("The user accepted dialog %s.", q.DialogID)
	}
	return fmt.Sprintf("The user dismissed dialog %s.", q.DialogID)
}

func questionID(q tool.Question) string { return q.TaskID + "/" + q.DialogID }
