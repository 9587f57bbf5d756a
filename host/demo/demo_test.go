package demo

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if os.Getenv(childEnv) != "" {
		child()
	}
	goleak.VerifyTestMain(m)
}

// The whole story, on a real browser.
func TestRun(t *testing.T) {
	t.Parallel()
	config, err := WriteConfig(t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err = Run(t.Context(), newBench(t, config), Options{Out: &out, Config: config, Browser: "Chromium"})
	t.Log(out.String())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"blocked by confirm d-1", "Amount due € 130.00", "still pending: prompt d-2", giftMessage,
		"dismissed by auto_policy", "over one CDP connection that never dropped",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the output lacks %q", want)
		}
	}
}

func TestConfigKeepsTheRest(t *testing.T) {
	t.Parallel()
	path, err := WriteConfig(t.TempDir(), true)
	if err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := swapPolicy(path); err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Replace(string(before), firstPolicy, secondPolicy, 1); string(after) != want || !strings.Contains(want, "headless: false") {
		t.Errorf("the file is now\n%s", after)
	}
	if err := swapPolicy(path); err == nil {
		t.Error("a second swap found something to swap")
	}
}

func TestPrinter(t *testing.T) {
	t.Parallel()
	var plain, color bytes.Buffer
	for _, p := range []*printer{newPrinter(&plain, false), newPrinter(&color, true)} {
		p.step("It looks.")
		p.ask("browser_cdp", args{{"frame_id", strings.Repeat("A1", 16)}, {"params", map[string]any{"expression": "1 + 1"}}})
		p.got(1500*time.Microsecond, "“%s”", "2")
	}
	want := "\n  1  It looks.\n     → browser_cdp  frame_id=A1A1A1A1…  params={expression: 1 + 1}\n     ← “2”" +
		strings.Repeat(" ", width-9-3-6) + "1.5 ms\n"
	if plain.String() != want {
		t.Errorf("got\n%s\nwant\n%s", plain.String(), want)
	}
	if !strings.Contains(color.String(), "\x1b[1mbrowser_cdp\x1b[0m") {
		t.Errorf("no colour in %q", color.String())
	}
}
