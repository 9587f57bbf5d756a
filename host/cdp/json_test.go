package cdp

import (
	"encoding/json"
	"testing"

	"github.com/chromedp/cdproto/page"
)

func TestMarshal(t *testing.T) {
	t.Parallel()
	got := Marshal(&page.HandleJavaScriptDialogParams{Accept: true, PromptText: "a\xffb"})
	if string(got) != "{\"accept\":true,\"promptText\":\"a\ufffdb\"}" {
		t.Errorf("params are %s", got)
	}
}

func TestMarshalOfTheUnencodable(t *testing.T) {
	t.Parallel()
	if got := Marshal(make(chan int)); json.Valid(got) {
		t.Errorf("result is %s, want what no command accepts", got)
	}
}

func TestUnmarshalOfLoneSurrogates(t *testing.T) {
	t.Parallel()
	for name, message := range map[string]string{"escaped": `\ud800`, "raw": "\xed\xa0\x80"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var ev page.EventJavascriptDialogOpening
			must(t, Unmarshal([]byte(`{"url":"http://a.test/","message":"x`+message+`","type":"alert"}`), &ev))
			if ev.URL != "http://a.test/" || ev.Message[:1] != "x" || ev.Type != page.DialogTypeAlert {
				t.Errorf("event is %+v", ev)
			}
		})
	}
}
