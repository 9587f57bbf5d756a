package plugin

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
)

func TestLogLines(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ in, want string }{
		"hclog":               {`{"@level":"warn","@message":"m","@module":"x","@timestamp":"t","b":[1],"a":"v"}`, "[WARN]  m: a=v b=[1]"},
		"plain":               {"plain text", "[INFO]  plain text"},
		"a number as message": {`{"@message":1}`, `[INFO]  {"@message":1}`},
		"a number as level":   {`{"@message":"m","@level":7}`, `[INFO]  {"@message":"m","@level":7}`},
		"no level":            {`{"@message":"m"}`, `[INFO]  {"@message":"m"}`},
		"level off":           {`{"@message":"m","@level":"off"}`, `[INFO]  {"@message":"m","@level":"off"}`},
		"an array":            {`[1]`, "[INFO]  [1]"},
		"null":                {`null`, "[INFO]  null"},
		"a crash":             {"panic: boom\n\ngoroutine 1 [running]:", "[ERROR] goroutine 1 [running]:"},
		"terminal codes":      {"a\x1b[31mb\r\x00c", "[INFO]  a[31mbc"},
		"no UTF-8":            {"a\xffb", "[INFO]  a\uFFFDb"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			w := newLogWriter(hclog.New(&hclog.LoggerOptions{Output: &out, DisableTime: true}))
			if n, err := w.Write([]byte(tc.in + "\n")); n != len(tc.in)+1 || err != nil {
				t.Errorf("Write: %d, %v", n, err)
			}
			lines := strings.Split(strings.TrimSpace(out.String()), "\n")
			if got := lines[len(lines)-1]; got != tc.want {
				t.Errorf("got  %q\nwant %q", got, tc.want)
			}
		})
	}
}

func TestLogFloodIsBounded(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w := newLogWriter(hclog.New(&hclog.LoggerOptions{Output: &out, DisableTime: true}))
	fixed := w.now()
	w.now = func() time.Time { return fixed }
	for range 10 * maxLogLines {
		_, _ = w.Write([]byte("x\n"))
	}
	w.flush()
	if n := strings.Count(out.String(), "\n"); n != maxLogLines+1 {
		t.Errorf("%d lines", n)
	}
	if !strings.Contains(out.String(), "lines=4500") {
		t.Errorf("the drops are not reported")
	}
}

// FuzzLogWriter feeds anything: nothing may panic, block, or grow.
func FuzzLogWriter(f *testing.F) {
	for _, s := range []string{
		`{"@message":1}`, `{"@message":"m","@level":"info","x":{"y":[null]}}`, "panic: x\n", "\xff\xfe\n{", strings.Repeat("x", 2*maxLogLine),
		`{"@level":"trace","@message":"","":""}` + "\n", "{\"@level\":\"error\",\"@message\":\"\u202e\"}",
	} {
		f.Add([]byte(s), 3)
	}
	f.Fuzz(func(t *testing.T, data []byte, cut int) {
		var out bytes.Buffer
		w := newLogWriter(hclog.New(&hclog.LoggerOptions{Output: &out, DisableTime: true, Level: hclog.Trace}))
		if cut > 0 && cut < len(data) {
			_, _ = w.Write(data[:cut])
			data = data[cut:]
		}
		_, _ = w.Write(data)
		w.flush()
		if cap(w.line) > 2*maxLogLine || len(w.tail) > tailLines {
			t.Errorf("kept %d bytes, %d lines", cap(w.line), len(w.tail))
		}
		if strings.ContainsAny(out.String(), "\x1b\x00\r") {
			t.Errorf("control characters in %q", out.String())
		}
	})
}

// FuzzHandshake feeds anything as stdout.
func FuzzHandshake(f *testing.F) {
	f.Add([]byte("1|1|unix|/tmp/x|grpc|\nrest"))
	f.Add([]byte(strings.Repeat("x", 2*maxHandshake)))
	f.Fuzz(func(t *testing.T, data []byte) {
		var rest bytes.Buffer
		h := newHandshake(&rest)
		if n, err := h.Write(data); n != len(data) || err != nil {
			t.Errorf("Write: %d, %v", n, err)
		}
		h.finish()
		_, _ = h.text(), h.version()
		if len(h.line) > maxHandshake {
			t.Errorf("kept %d bytes", len(h.line))
		}
		line, _, found := bytes.Cut(data, []byte("\n"))
		if found && len(line) < maxHandshake && string(line) != string(h.line) {
			t.Errorf("line %q", h.line)
		}
	})
}
