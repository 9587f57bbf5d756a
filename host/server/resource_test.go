package server_test

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cdphost/host/server"
	"cdphost/host/tool"
)

func TestResources(t *testing.T) {
	t.Parallel()
	onEachCarrier(t, func(t *testing.T, c carrier) {
		store := tool.NewArtifacts(100)
		h := newHost(t, []*tool.Tool{echo()}, func(o *server.Options) { o.Resources = store.Read })
		s := c.dial(t, h, nil)
		read := func(caller, mime string, data []byte) (*mcp.ResourceContents, error) {
			link, err := store.Put(caller, "x", mime, "", data)
			if err != nil {
				t.Fatal(err)
			}
			res, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: link.URI})
			if err != nil {
				return nil, err
			}
			return res.Contents[0], nil
		}
		if got, err := read("local", "text/markdown", []byte("# Hi")); err != nil || got.Text != "# Hi" || got.MIMEType != "text/markdown" {
			t.Errorf("text: %+v, %v", got, err)
		}
		if got, err := read("local", "image/png", []byte{1, 2}); err != nil || string(got.Blob) != "\x01\x02" {
			t.Errorf("picture: %+v, %v", got, err)
		}
		if got, err := read("bob", "text/plain", []byte("bob's")); err == nil {
			t.Errorf("another caller's: %+v", got)
		}
	})
}
