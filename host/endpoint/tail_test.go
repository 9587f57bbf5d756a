package endpoint

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/go-hclog"
)

func TestTailFindsTheAddress(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, text, want string
	}{
		{"alone", "DevTools listening on ws://127.0.0.1:4/devtools/browser/a1\n", "ws://127.0.0.1:4/devtools/browser/a1"},
		{"IPv6", "noise\r\nDevTools listening on ws://[::1]:4/devtools/browser/a1\r\n", "ws://[::1]:4/devtools/browser/a1"},
		{"first of two", "DevTools listening on ws://127.0.0.1:4/a\nDevTools listening on ws://127.0.0.1:5/a\n", "ws://127.0.0.1:4/a"},
		{"not of this machine", "DevTools listening on ws://10.0.0.1:4/a\n", ""},
		{"no line yet", "DevTools listening on ws://127.0.0.1:4/a", ""},
		{"in the middle of a line", "page says DevTools listening on ws://127.0.0.1:4/a\n", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			for _, size := range []int{1, 7, len(tc.text)} {
				tail := newTail(hclog.NewNullLogger())
				for rest := tc.text; rest != ""; {
					n := min(size, len(rest))
					if wrote, err := tail.Write([]byte(rest[:n])); wrote != n || err != nil {
						t.Fatalf("Write: %d, %v", wrote, err)
					}
					rest = rest[n:]
				}
				got := ""
				select {
				case u := <-tail.listening:
					got = u.Reveal()
				default:
				}
				if got != tc.want {
					t.Errorf("in pieces of %d: got %q", size, got)
				}
			}
		})
	}
}

func TestTailKeepsTheLastLines(t *testing.T) {
	t.Parallel()
	tail := newTail(hclog.NewNullLogger())
	if got := tail.quote(); got != " It wrote nothing to stderr." {
		t.Errorf("got %q", got)
	}
	for i := range 3 * tailLines {
		_, _ = fmt.Fprintf(tail, "line %d\n\n", i)
	}
	_, _ = fmt.Fprint(tail, strings.Repeat("é", 10*tailWidth)+"\nws://u:p@a.test/?k=v unfinished")
	got := tail.lines()
	if len(got) != tailLines+1 || got[0] != fmt.Sprintf("line %d", 2*tailLines+1) || got[tailLines] != "ws://***@a.test/?k=*** unfinished" {
		t.Errorf("got %q", got)
	}
	if long := got[tailLines-1]; len(long) > tailWidth+len("…") || !strings.HasPrefix(long, "éé") {
		t.Errorf("long line: %d bytes", len(long))
	}
}
