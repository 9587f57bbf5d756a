package supervisor_test

import (
	"testing"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/supervisor"
)

// framed is a site whose page holds a frame of its own process, an out-of-process
// one, and one nested in that.
func framed(t *testing.T) *cdptest.Pages {
	t.Helper()
	return cdptest.Site(t, cdptest.Hosts{
		"a.test": cdptest.Paths{
			"/":     `<title>top</title><iframe id=same src="/same"></iframe><iframe id=other src="http://b.test:{{port}}/"></iframe>`,
			"/same": `<title>same</title>`,
			"/leaf": `<title>leaf</title>`,
		},
		"b.test": cdptest.Paths{"/": `<title>other</title><iframe src="http://c.test:{{port}}/"></iframe>`},
		"c.test": cdptest.Paths{"/": `<title>nested</title>`},
	})
}

// frameAt returns the id and the session of the frame that shows url.
func frameAt(t *testing.T, s *supervisor.Supervisor, tab, url string) (id, session string) {
	t.Helper()
	wait(t, s, tab, "the frame "+url, func(p *supervisor.Page) bool {
		for f := range p.Frames.Frames() {
			own, ok := p.Frames.SessionOf(f.ID)
			if f.URL == url && ok && f.DefaultContext != "" {
				id, session = f.ID, own
				return true
			}
		}
		return false
	})
	return id, session
}

func contextOf(t *testing.T, s *supervisor.Supervisor, frameID string) string {
	t.Helper()
	_, f, ok := s.Snapshot().Frame(frameID)
	if !ok {
		t.Fatalf("no frame %s", frameID)
	}
	return f.DefaultContext
}
