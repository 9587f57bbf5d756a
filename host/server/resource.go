package server

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cdphost/sdk/fault"
)

// resourceTemplate names what links in tool results point to.
const resourceTemplate = "cdphost://artifact/{id}"

func (e *endpoint) addResources() {
	if e.srv.opts.Resources == nil {
		return
	}
	e.mcp.AddResourceTemplate(&mcp.ResourceTemplate{
		Name: "artifact", Title: "Artifact of a task", URITemplate: resourceTemplate,
		Description: "A screenshot, extract or other result too big for a tool's reply.",
	}, e.readResource)
}

func (e *endpoint) readResource(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	uri := req.Params.URI
	data, mime, err := e.srv.opts.Resources(ctx, e.caller, uri)
	if err != nil {
		if fault.CodeOf(err) == fault.InternalError {
			e.srv.log.Error("a resource could not be read", "error", err)
		}
		return nil, mcp.ResourceNotFoundError(uri)
	}
	content := &mcp.ResourceContents{URI: uri, MIMEType: mime}
	if strings.HasPrefix(mime, "text/") && utf8.Valid(data) {
		content.Text = string(data)
	} else {
		content.Blob = data
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{content}}, nil
}
