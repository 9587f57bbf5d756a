package frames

import (
	"encoding/json"
	"strings"
	"testing"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/frame"
)

// What is wrong with a call is told before anything of it reaches the browser.
func TestParametersAreCheckedFirst(t *testing.T) {
	t.Parallel()
	s := site(t)
	a := newAgent(t, onShared(t, "error"), s.URL("a.test", "/"))
	a.atTop(t, add("src="+s.URL("b.test", "/leaf")))
	remote := a.frame(t, "/leaf")
	count := cdptest.M{"expression": "self.sent=(self.sent||0)+1"}
	for name, tc := range map[string]struct {
		args cdptest.M
		code string
		says []string
	}{
		"no method":                 {cdptest.M{"params": count}, "invalid_argument", nil},
		"no domain":                 {cdptest.M{"method": "evaluate", "params": count}, "invalid_argument", []string{"Domain.method"}},
		"a method with spaces":      {cdptest.M{"method": "Runtime.evaluate ", "params": count}, "invalid_argument", []string{"Domain.method"}},
		"a list of params":          {cdptest.M{"method": "Runtime.evaluate", "params": []any{count}}, "invalid_argument", []string{"params"}},
		"params as text":            {cdptest.M{"method": "Runtime.evaluate", "params": `{"expression":"self.sent=1"}`}, "invalid_argument", []string{"params"}},
		"timeout 0":                 {cdptest.M{"method": "Runtime.evaluate", "params": count, "timeout": 0}, "invalid_argument", []string{"timeout"}},
		"timeout below a second":    {cdptest.M{"method": "Runtime.evaluate", "params": count, "timeout": 0.5}, "invalid_argument", []string{"timeout"}},
		"timeout negative":          {cdptest.M{"method": "Runtime.evaluate", "params": count, "timeout": -1}, "invalid_argument", []string{"timeout"}},
		"timeout above 300":         {cdptest.M{"method": "Runtime.evaluate", "params": count, "timeout": 301}, "invalid_argument", []string{"timeout"}},
		"timeout as text":           {cdptest.M{"method": "Runtime.evaluate", "params": count, "timeout": "10"}, "invalid_argument", []string{"timeout"}},
		"frame_id of a number":      {cdptest.M{"method": "Runtime.evaluate", "params": count, "frame_id": 7}, "invalid_argument", []string{"frame_id"}},
		"frame and target":          {cdptest.M{"method": "Runtime.evaluate", "params": count, "frame_id": remote.ID, "target_id": "t1"}, "invalid_argument", []string{"not both"}},
		"an unknown argument":       {cdptest.M{"method": "Runtime.evaluate", "params": count, "session_id": "x"}, "invalid_argument", []string{"session_id"}},
		"an unknown frame":          {cdptest.M{"method": "Runtime.evaluate", "params": count, "frame_id": "NONE"}, "frame_not_found", []string{remote.ID, remote.URL, `"tab_id":"t1"`}},
		"a frame as a target":       {cdptest.M{"method": "Runtime.evaluate", "params": count, "target_id": remote.ID}, "tab_not_found", []string{"frame_id"}},
		"an unknown target":         {cdptest.M{"method": "Runtime.evaluate", "params": count, "target_id": "NONE"}, "tab_not_found", []string{"t1"}},
		"another's page":            {cdptest.M{"method": "Target.closeTarget", "params": cdptest.M{"targetId": "NONE"}}, "not_yours", nil},
		"what ends the browser":     {cdptest.M{"method": "Browser.close"}, "not_yours", nil},
		"what blinds the host":      {cdptest.M{"method": "Page.disable"}, "not_yours", nil},
		"what blinds it in a frame": {cdptest.M{"method": "Page.disable", "frame_id": remote.ID}, "not_yours", nil},
	} {
		t.Run(name, func(t *testing.T) {
			a.refused(t, "browser_cdp", tc.args).wants(t, tc.code, tc.says...)
		})
	}
	for _, f := range []string{"", remote.ID} {
		if got := a.in(t, f, "String(self.sent)"); got != "undefined" {
			t.Errorf("in frame %q the refused commands ran %s times", f, got)
		}
	}
}

// The reply names the frame and the session that a command ran in.
func TestReplyNamesItsPlace(t *testing.T) {
	t.Parallel()
	s := site(t)
	a := newAgent(t, onShared(t, "error"), s.URL("a.test", "/"))
	a.atTop(t, add("src="+s.URL("b.test", "/leaf")))
	remote := a.frame(t, "/leaf")
	p := a.page(t)
	for name, tc := range map[string]struct {
		to                      cdptest.M
		frame, session, showing string
	}{
		"nothing named":    {cdptest.M{}, "", p.SessionID, p.URL},
		"a frame":          {cdptest.M{"frame_id": remote.ID}, remote.ID, remote.SessionID, remote.URL},
		"the top frame":    {cdptest.M{"frame_id": p.TargetID}, p.TargetID, p.SessionID, p.URL},
		"a target":         {cdptest.M{"target_id": p.TargetID}, "", p.SessionID, p.URL},
		"a tab":            {cdptest.M{"target_id": p.TabID}, "", p.SessionID, p.URL},
		"timeout at least": {cdptest.M{"timeout": 1}, "", p.SessionID, p.URL},
		"timeout at most":  {cdptest.M{"timeout": 300}, "", p.SessionID, p.URL},
	} {
		t.Run(name, func(t *testing.T) {
			tc.to["method"], tc.to["params"] = "Runtime.evaluate", cdptest.M{"expression": "location.href"}
			reply := a.must(t, "browser_cdp", tc.to)
			for path, want := range map[string]string{
				"success": "true", "method": "Runtime.evaluate", "task_id": a.task, "frame_id": tc.frame, "session_id": tc.session,
				"result.result.value": tc.showing,
			} {
				if got := cdptest.Field(reply, path); got != want {
					t.Errorf("%s is %q, want %q", path, got, want)
				}
			}
		})
	}
	reply := a.must(t, "browser_cdp", cdptest.M{"method": "Browser.getVersion"})
	if got := cdptest.Field(reply, "session_id"); got != "" || !strings.Contains(string(reply), `"session_id":""`) {
		t.Errorf("the browser itself: %s", reply)
	}
}

func TestSameProcessFrames(t *testing.T) {
	t.Parallel()
	s := site(t)
	const top = "self.sent=(self.sent||0)+1, location.href"
	start := func(t *testing.T, mode string) (*agent, frame.Frame) {
		t.Helper()
		a := newAgent(t, onShared(t, mode), s.URL("a.test", "/"))
		a.atTop(t, add("src="+s.URL("a.test", "/leaf")))
		return a, a.frame(t, "/leaf")
	}
	untouched := func(t *testing.T, a *agent) {
		t.Helper()
		if got := a.atTop(t, "String(self.sent)"); got != "undefined" {
			t.Errorf("it ran %s times in the top page", got)
		}
	}
	t.Run("error", func(t *testing.T) {
		t.Parallel()
		a, f := start(t, "error")
		for _, method := range []string{"Runtime.evaluate", "DOM.getDocument"} {
			a.refused(t, "browser_cdp", cdptest.M{"method": method, "frame_id": f.ID, "params": cdptest.M{"expression": top}}).
				wants(t, "same_process_frame", f.ID, f.URL, "contentWindow", "contentDocument", "Runtime.evaluate")
		}
		untouched(t, a)
		// The alternative that the error names works.
		if got := a.atTop(t, "document.querySelector('iframe').contentDocument.title"); got != "leaf" {
			t.Errorf("through the top page: %q", got)
		}
	})
	t.Run("evaluate", func(t *testing.T) {
		t.Parallel()
		a, f := start(t, "evaluate")
		if got := a.in(t, f.ID, top); got != f.URL {
			t.Errorf("it ran in %s", got)
		}
		untouched(t, a)
		a.refused(t, "browser_cdp", cdptest.M{"method": "DOM.getDocument", "frame_id": f.ID}).
			wants(t, "same_process_frame", "only Runtime.evaluate", "contentDocument")
		a.refused(t, "browser_cdp", cdptest.M{"method": "Runtime.evaluate", "frame_id": f.ID, "params": cdptest.M{"expression": top, "contextId": 1}}).
			wants(t, "invalid_argument", "not both")
		untouched(t, a)
	})
}

// Each kind of frame runs code in itself.
func TestEvaluateInEveryKind(t *testing.T) {
	t.Parallel()
	s := site(t)
	a := newAgent(t, onShared(t, "evaluate"), s.URL("a.test", "/"))
	for _, html := range []string{
		"id=local src=" + s.URL("a.test", "/leaf"), "id=remote src=" + s.URL("b.test", "/leaf"), "id=srcdoc srcdoc='<p>x'",
		"id=blank", "id=data src='data:text/html,<p>x'", "id=sandbox sandbox=allow-scripts src=" + s.URL("a.test", "/leaf"),
		"id=hidden style=display:none src=" + s.URL("b.test", "/leaf"), "id=none style=display:none srcdoc=x",
	} {
		a.atTop(t, add(html))
	}
	a.atTop(t, "(f=>{f.src=URL.createObjectURL(new Blob(['<p>x'],{type:'text/html'}));document.body.append(f)})(document.createElement('iframe')), 0")
	nodes := agree(t, a, lookAt(t, a, cdptest.SharedChrome(t).WSURL), 10)
	for i, n := range nodes {
		if got := a.in(t, n.ID, "self.mark="+string(rune('0'+i))+", location.href"); got != n.URL {
			t.Errorf("%v: it ran in %s", n, got)
		}
	}
	for i, n := range nodes {
		if got := a.in(t, n.ID, "String(self.mark)"); got != string(rune('0'+i)) {
			t.Errorf("%v has the mark %s of another frame", n, got)
		}
	}
}

// A page can't get a secret past the redactor by what it calls its fields.
func TestRedactorIsNotForPagesToSwitchOff(t *testing.T) {
	t.Parallel()
	const key = "sk-abcdefghijklmnopqrstuvwx"
	s := site(t)
	a := newAgent(t, onShared(t, "error"), s.URL("a.test", "/"))
	a.atTop(t, add("src="+s.URL("b.test", "/leaf")))
	for _, frameID := range []string{"", a.frame(t, "/leaf").ID} {
		for _, value := range []string{
			`({base64Encoded:true,body:"` + key + `"})`, `({data:"` + key + `",base64Encoded:true})`,
			`({result:{base64Encoded:true,content:"` + key + `"}})`, `["` + key + `"]`, `({"` + key + `":1})`, `"Bearer ` + key + `"`,
			`"x ` + hostSecret + ` y"`,
		} {
			reply := a.must(t, "browser_cdp", cdptest.M{
				"method": "Runtime.evaluate", "frame_id": frameID, "params": cdptest.M{"expression": value, "returnByValue": true},
			})
			if strings.Contains(string(reply), key) || strings.Contains(string(reply), hostSecret) || cdptest.Field(reply, "redacted") != "1" {
				t.Errorf("%s gives %s", value, reply)
			}
		}
		refused := a.refused(t, "browser_cdp", cdptest.M{
			"method": "Runtime.callFunctionOn", "frame_id": frameID, "params": cdptest.M{"functionDeclaration": key, "objectId": key},
		})
		if strings.Contains(string(refused.Details), key) {
			t.Errorf("an error shows %s", refused.Details)
		}
	}
	shot := a.must(t, "browser_cdp", cdptest.M{"method": "Page.captureScreenshot"})
	if got := cdptest.Field(shot, "result.data"); !strings.HasPrefix(got, "iVBOR") || cdptest.Field(shot, "redacted") != "" {
		t.Errorf("the screenshot starts with %.20q, %s redacted", got, cdptest.Field(shot, "redacted"))
	}
}

// frame_tree shows as much as the configuration says, and says when there is more.
func TestFrameTreeLimits(t *testing.T) {
	t.Parallel()
	s := site(t)
	inside := "src=" + s.URL("b.test", "/leaf")
	for name, tc := range map[string]struct {
		limits            frame.Limits
		frames            int // in the top frame, after the one with frames inside
		children, deepest int
		truncated         string
	}{
		"usual, few":   {frame.Limits{}, 2, 4, 2, "true"}, // the third process is left out
		"usual, many":  {frame.Limits{}, 40, 30, 2, "true"},
		"depth 1":      {frame.Limits{MaxOOPIFDepth: 1}, 2, 3, 1, "true"},
		"depth 3":      {frame.Limits{MaxOOPIFDepth: 3}, 2, 5, 3, "false"},
		"one child":    {frame.Limits{MaxChildren: 1}, 2, 1, 1, "true"},
		"exactly full": {frame.Limits{MaxChildren: 5, MaxOOPIFDepth: 3}, 2, 5, 3, "false"},
		"no limits":    {everything, 40, 43, 3, "false"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t, setup{registry: registry, wsURL: cdptest.SharedChrome(t).WSURL, plugin: router("error"), limits: tc.limits})
			a := newAgent(t, h, s.URL("a.test", "/"))
			a.atTop(t, add(inside))
			first := a.frame(t, "/leaf")
			a.loaded(t, first.ID)
			a.in(t, first.ID, add("src="+s.URL("c.test", "/other")))
			a.loaded(t, a.frame(t, "/other").ID)
			a.in(t, a.frame(t, "/other").ID, add("src="+s.URL("d.test", "/button")))
			a.frame(t, "/button")
			for range tc.frames {
				a.atTop(t, add(""))
			}
			a.await(t, "all frames", hasFrames(tc.frames+4))
			tree := json.RawMessage(cdptest.Field(a.must(t, "browser_snapshot", cdptest.M{"text": false}), "frame_tree"))
			var shown struct{ Children []struct{ URL string } }
			if err := json.Unmarshal(tree, &shown); err != nil {
				t.Fatal(err)
			}
			deepest := 0
			for _, c := range shown.Children {
				for i, suffix := range []string{"/leaf", "/other", "/button"} {
					if strings.HasSuffix(c.URL, suffix) {
						deepest = max(deepest, i+1)
					}
				}
			}
			if len(shown.Children) != tc.children || deepest != tc.deepest || cdptest.Field(tree, "truncated") != tc.truncated {
				t.Errorf("%d children down to process %d, truncated %s; want %d, %d, %s",
					len(shown.Children), deepest, cdptest.Field(tree, "truncated"), tc.children, tc.deepest, tc.truncated)
			}
			whole := a.must(t, "browser_cdp", cdptest.M{"method": "Page.getFrameTree"})
			if n := strings.Count(string(whole), `"parentId"`); n != tc.frames {
				t.Errorf("Page.getFrameTree has %d children of the page's process, want %d", n, tc.frames)
			}
		})
	}
}
