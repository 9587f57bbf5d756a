package frames

import (
	"encoding/json"
	"regexp"
	"testing"

	"cdphost/host/cdp/cdptest"
)

// act carries out one action of the browser tool.
func (a *agent) act(t testing.TB, args cdptest.M) json.RawMessage {
	t.Helper()
	reply := a.must(t, "browser", args)
	if cdptest.Field(reply, "ok") != "true" {
		t.Fatalf("%v: %s", args, reply)
	}
	return json.RawMessage(cdptest.Field(reply, "result"))
}

var (
	buttonUID = regexp.MustCompile(`(e\d+) button "Press"`)
	inputUID  = regexp.MustCompile(`(e\d+) textbox`)
)

// Clicks and keys reach a frame wherever it lives, and only that.
func TestInputInsideFrames(t *testing.T) {
	t.Parallel()
	s := site(t)
	a, b, c := s.URL("a.test", "/button"), s.URL("b.test", "/button"), s.URL("c.test", "/button")
	const sized = " style='width:400px;height:200px;margin:30px;border:7px solid' "
	for _, tc := range []struct {
		name  string
		steps []step
		frame int
	}{
		{"same process", []step{{do: add("src=" + a + sized), count: 2}}, 1},
		{"own process", []step{{do: add("src=" + b + sized), count: 2}}, 1},
		{"nested", []step{{do: add("src=" + s.URL("b.test", "/") + " width=600 height=500"), count: 2}, {in: 1, do: add("src=" + c + sized), count: 3}}, 2},
		{"below the fold", []step{{do: "document.body.style.paddingTop='5000px', 0", count: 1}, {do: add("src=" + b + sized), count: 2}}, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			ag := newAgent(t, onShared(t, "evaluate"), s.URL("a.test", "/"))
			second := lookAt(t, ag, cdptest.SharedChrome(t).WSURL)
			nodes := agree(t, ag, second, 1)
			for _, st := range tc.steps {
				ag.loaded(t, nodes[st.in].ID)
				ag.in(t, nodes[st.in].ID, st.do)
				nodes = agree(t, ag, second, st.count)
			}
			in := nodes[tc.frame].ID
			text := string(ag.act(t, cdptest.M{"type": "extract"}))
			button, input := buttonUID.FindStringSubmatch(unquoted(text)), inputUID.FindStringSubmatch(unquoted(text))
			if button == nil || input == nil {
				t.Fatalf("extract shows %s", text)
			}
			ag.act(t, cdptest.M{"type": "click", "uid": button[1]})
			ag.act(t, cdptest.M{"type": "type", "uid": input[1], "text": "hello"})
			if got := ag.in(t, in, "self.clicks+' '+document.querySelector('input').value"); got != "1 hello" {
				t.Errorf("the frame has %q", got)
			}
			for i, n := range nodes {
				if i != tc.frame {
					if got := ag.in(t, n.ID, "String(self.clicks)"); got != "undefined" {
						t.Errorf("%v was clicked", n)
					}
				}
			}
			if got := cdptest.Field(ag.act(t, cdptest.M{"type": "evaluate", "frame_id": in, "expression": "location.href"}), "value"); got != nodes[tc.frame].URL {
				t.Errorf("evaluate ran in %s", got)
			}
		})
	}
}

// unquoted takes the escapes of JSON strings out, which is enough to search it.
func unquoted(doc string) string { return regexp.MustCompile(`\\(["\\])`).ReplaceAllString(doc, "$1") }
