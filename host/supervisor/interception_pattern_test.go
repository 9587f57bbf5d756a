package supervisor

import (
	"encoding/json"
	"testing"
)

func TestRequestPatterns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, event string
		want           bool
	}{
		{`{}`, `{"request":{"url":"http://a/"}}`, true},
		{`{"urlPattern":"*"}`, `{"request":{"url":""}}`, true},
		{`{"urlPattern":"http://a/*.js"}`, `{"request":{"url":"http://a/x/y.js"}}`, true},
		{`{"urlPattern":"http://a/*.js"}`, `{"request":{"url":"http://a/x/y.js?z"}}`, false},
		{`{"urlPattern":"*a*b*c"}`, `{"request":{"url":"xaxbxbxc"}}`, true},
		{`{"urlPattern":"*a*b*c"}`, `{"request":{"url":"xaxbxbxd"}}`, false},
		{`{"urlPattern":"http://?/"}`, `{"request":{"url":"http://a/"}}`, true},
		{`{"urlPattern":"http://?/"}`, `{"request":{"url":"http://ab/"}}`, false},
		{`{"urlPattern":"http://a/\\?q"}`, `{"request":{"url":"http://a/?q"}}`, true},
		{`{"urlPattern":"http://a/\\?q"}`, `{"request":{"url":"http://a/xq"}}`, false},
		{`{"urlPattern":"http://a/\\*"}`, `{"request":{"url":"http://a/x"}}`, false},
		{`{"urlPattern":"http://A/"}`, `{"request":{"url":"http://a/"}}`, false},
		{`{"urlPattern":"http://a/#x"}`, `{"request":{"url":"http://a/","urlFragment":"#x"}}`, true},
		{`{"resourceType":"XHR"}`, `{"request":{"url":"http://a/"},"resourceType":"XHR"}`, true},
		{`{"resourceType":"XHR"}`, `{"request":{"url":"http://a/"},"resourceType":"Document"}`, false},
		{`{}`, `{"request":{"url":"http://a/"},"responseStatusCode":200}`, false},
		{`{"requestStage":"Response"}`, `{"request":{"url":"http://a/"},"responseStatusCode":200}`, true},
		{`{"requestStage":"Response"}`, `{"request":{"url":"http://a/"},"responseErrorReason":"Failed"}`, true},
		{`{"requestStage":"Response"}`, `{"request":{"url":"http://a/"}}`, false},
		{`{"urlPattern":""}`, `{"request":{"url":"http://a/"}}`, true},
	} {
		p, err := newRequestPattern(json.RawMessage(c.pattern))
		if err != nil {
			t.Fatalf("%s: %v", c.pattern, err)
		}
		r, err := newPausedRequest(json.RawMessage(c.event))
		if err != nil {
			t.Fatalf("%s: %v", c.event, err)
		}
		if got := p.match(r); got != c.want {
			t.Errorf("%s of %s = %v", c.pattern, c.event, got)
		}
	}
}
