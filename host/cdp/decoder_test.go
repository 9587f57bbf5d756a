package cdp

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hashicorp/go-hclog"
)

func TestDecoderLearnsAForeignShape(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, msg, body string }{
		{"event", `{"method":"A.b","params":{"a":1},"meta":{}}`, `{"a":1}`},
		{"event with session", `{"method":"A.b","params":{"a":1},"meta":{},"sessionId":"S"}`, `{"a":1}`},
		{"reply", `{"id":1,"result":{"a":1},"meta":{}}`, `{"a":1}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			var log strings.Builder
			var parsed atomic.Uint64
			d := newDecoder(hclog.New(&hclog.LoggerOptions{Output: &log}), &parsed)
			for range 3 {
				var e envelope
				if !d.decode([]byte(tc.msg), &e) || string(e.body) != tc.body {
					t.Fatalf("decoded %s", describe(&e))
				}
				d.methods.name(e.method)
			}
			if !d.foreign || parsed.Load() != 2 {
				t.Errorf("foreign = %v after %d parsed", d.foreign, parsed.Load())
			}
			if n := strings.Count(log.String(), "does not write messages as Chrome does"); n != 1 {
				t.Errorf("%d warnings, want 1: %s", n, log.String())
			}
		})
	}
}

func TestDecoderTrustsChromesShape(t *testing.T) {
	t.Parallel()
	var parsed atomic.Uint64
	d := newDecoder(hclog.NewNullLogger(), &parsed)
	var e envelope
	for i := 1; i <= 2*provenReplies; i++ {
		if !d.decode(fmt.Appendf(nil, `{"id":%d,"result":{}}`, i), &e) || e.id != int64(i) {
			t.Fatalf("decoded %s", describe(&e))
		}
	}
	if d.foreign || parsed.Load() != 0 {
		t.Errorf("foreign = %v, parsed = %d", d.foreign, parsed.Load())
	}
	if d.decode([]byte(`{"method":"A.b","params":{"a":}}`), &e) {
		t.Error("the first event of a method was not checked")
	}
	if d.foreign {
		t.Error("a broken message was taken for another shape")
	}
}
