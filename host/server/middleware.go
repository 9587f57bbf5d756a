package server

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cdphost/host/tool"
	"cdphost/sdk/fault"
)

// middleware judges the gates anew before each list, so that no client sees a
// stale one, and answers calls of a tool whose gate is shut with the reason.
func (e *endpoint) middleware(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		switch method {
		case "tools/list":
			e.refresh()
			res, err := next(ctx, method, req)
			if err != nil {
				return nil, err
			}
			return forClient(req, res), nil
		case "tools/call":
			if params, ok := req.GetParams().(*mcp.CallToolParamsRaw); ok {
				if res := e.shut(params.Name); res != nil {
					return res, nil
				}
			}
		}
		return next(ctx, method, req)
	}
}

// shut returns the reply for a tool that the toolset lists and does not offer
// now, and nil for all others.
func (e *endpoint) shut(name string) *mcp.CallToolResult {
	set := e.set.Load()
	offer, listed := tool.OfferOf(e.srv.opts.Catalog, set, e.srv.opts.Gates(set.Name, e.caller), name)
	if !listed || offer.Open {
		return nil
	}
	err := fault.New(fault.GateClosed, "%s is not offered now: %s.", name, offer.Reason).With("gate", string(offer.Gate))
	return result(tool.Fail(err))
}
