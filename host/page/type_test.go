package page_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cdphost/host/page"
	"cdphost/sdk/fault"
)

func TestTypeReplacesWhatTheFieldHolds(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("long text, ", 100)
	for name, tc := range map[string]struct{ html, text, want string }{
		"input":              {`<input id=x value=old>`, "new text", "new text"},
		"empty":              {`<input id=x value=old>`, "", ""},
		"capitals and signs": {`<input id=x>`, `A-z_09 !"§$%&/()=?{[]}\~`, `A-z_09 !"§$%&/()=?{[]}\~`},
		"other scripts":      {`<input id=x>`, "Grüße 日本語 🎉", "Grüße 日本語 🎉"},
		"long":               {`<input id=x>`, long, long},
		"e-mail":             {`<input id=x type=email value=a@b>`, "c@d.org", "c@d.org"},
		"number":             {`<input id=x type=number value=3>`, "42.5", "42.5"},
		"password":           {`<input id=x type=password>`, "s3cret", "s3cret"},
		"textarea":           {`<textarea id=x>old</textarea>`, "one\ntwo", "one\ntwo"},
		"content editable":   {`<div id=x contenteditable>old <b>bold</b></div>`, "new", "new"},
		"select by label":    {`<select id=x><option value=1>One<option value=2>Two</select>`, "Two", "2"},
		"select by value":    {`<select id=x><option value=1>One<option value=2>Two</select>`, "2", "2"},
		"date":               {`<input id=x type=date>`, "2026-01-31", "2026-01-31"},
		"time":               {`<input id=x type=time>`, "09:30", "09:30"},
		"date and time":      {`<input id=x type=datetime-local>`, "2026-01-31T09:30", "2026-01-31T09:30"},
		"month":              {`<input id=x type=month>`, "2026-01", "2026-01"},
		"week":               {`<input id=x type=week>`, "2026-W05", "2026-W05"},
		"color":              {`<input id=x type=color>`, "#FF0000", "#ff0000"},
		"range":              {`<input id=x type=range min=0 max=10>`, "7", "7"},
		"in a shadow root":   {`<div id=h></div><script>h.attachShadow({mode:'open'}).innerHTML='<input id=x>'; window.x = h.shadowRoot.firstChild</script>`, "deep", "deep"},
		"closed shadow root": {`<div id=h></div><script>{const r = h.attachShadow({mode:'closed'}); r.innerHTML='<input id=x>'; window.x = r.firstChild}</script>`, "deeper", "deeper"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, page.Options{})
			b.open(tc.html + `<script>events = []; for (const k of ['input', 'change']) addEventListener(k, () => events.push(k), true)</script>`)
			b.must(obj{"type": "type", "selector": "#x", "text": tc.text})
			if got := b.eval("x.value ?? x.textContent"); got != tc.want {
				t.Errorf("the field holds %q, want %q", got, tc.want)
			}
			if got := b.eval("events.includes('input')"); got != true {
				t.Error("the page was not told of the input")
			}
		})
	}
}

func TestTypePressesRealKeys(t *testing.T) {
	t.Parallel()
	b := newBench(t, page.Options{})
	b.open(`<input id=x><script>keys = []; x.onkeydown = e => keys.push(e.key + ':' + e.code + ':' + e.isTrusted)</script>`)
	b.must(obj{"type": "type", "selector": "#x", "text": "aB"})
	if got := b.eval("keys.join(' ')"); got != "a:KeyA:true B:KeyB:true" {
		t.Errorf("the keys were %v", got)
	}
}

func TestTypeSubmits(t *testing.T) {
	t.Parallel()
	for name, field := range map[string]string{"input": `<input id=x name=q>`, "textarea": `<textarea id=x name=q></textarea>`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, page.Options{})
			b.open(`<form onsubmit="event.preventDefault(); document.title='sent ' + x.value">` + field + `<button>Go</button></form>`)
			b.must(obj{"type": "type", "selector": "#x", "text": "hello", "submit": true})
			b.must(obj{"type": "wait_for", "selector": "body", "timeout": 5})
			if got := b.eval("new Promise(r => setTimeout(() => r(document.title), 50))"); got != "sent hello" {
				t.Errorf("the title is %v", got)
			}
		})
	}
}

func TestFileInputs(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "cv.txt"), []byte("me"), 0o600); err != nil {
		t.Fatal(err)
	}
	b := newBench(t, page.Options{UploadRoot: root})
	b.open(`<input id=x type=file>`)
	b.fails(fault.SchemeBlocked, obj{"type": "type", "selector": "#x", "text": "../../etc/passwd"})
	b.fails(fault.SchemeBlocked, obj{"type": "type", "selector": "#x", "text": "/etc/passwd"})
	b.must(obj{"type": "type", "selector": "#x", "text": "cv.txt"})
	if got := b.eval("x.files[0].name + x.files[0].size"); got != "cv.txt2" {
		t.Errorf("the input holds %v", got)
	}
	none := newBench(t, page.Options{})
	none.open(`<input id=x type=file>`)
	f := none.fails(fault.SchemeBlocked, obj{"type": "type", "selector": "#x", "text": "cv.txt"})
	if !strings.Contains(f.Message, "upload folder") {
		t.Errorf("the refusal reads %q", f.Message)
	}
}

func TestPressKey(t *testing.T) {
	t.Parallel()
	b := newBench(t, page.Options{})
	b.open(`<input id=x value=abc autofocus><script>keys = []; onkeydown = e => keys.push([e.ctrlKey && 'C', e.shiftKey && 'S', e.altKey && 'A', e.key, e.code].filter(Boolean).join(' ')); x.focus()</script>`)
	for _, tc := range []struct {
		args obj
		want string
	}{
		{obj{"key": "ArrowDown"}, "ArrowDown ArrowDown"},
		{obj{"key": "a"}, "a KeyA"},
		{obj{"key": "A"}, "A KeyA"},
		{obj{"key": "Shift+a"}, "S Shift ShiftLeft,S A KeyA"},
		{obj{"key": "+"}, "+ Equal"},
		{obj{"key": "a", "modifiers": []string{"Control", "Shift"}}, "C Control ControlLeft,C S Shift ShiftLeft,C S A KeyA"},
		{obj{"key": "Alt++"}, "A Alt AltLeft,A + Equal"},
		{obj{"key": "escape"}, "Escape Escape"},
		{obj{"key": "Space"}, "Space"},
		{obj{"key": "F5"}, "F5 F5"},
		{obj{"key": "Numpad7"}, "7 Numpad7"},
		{obj{"key": "Enter"}, "Enter Enter"},
	} {
		b.eval("keys = []; 1")
		tc.args["type"] = "press_key"
		b.must(tc.args)
		got, _ := b.eval("keys.join(',')").(string)
		if strings.TrimSpace(got) != tc.want {
			t.Errorf("%v pressed %q, want %q", tc.args, got, tc.want)
		}
	}
	b.eval("x.value = 'select me'; x.focus(); 1")
	b.must(obj{"type": "press_key", "key": "ControlOrMeta+A"})
	b.must(obj{"type": "press_key", "key": "Backspace"})
	if got := b.eval("x.value"); got != "" {
		t.Errorf("after select all and Backspace the field holds %q", got)
	}
}

// TestTypeOnAPageThatDrawsAnew fills one field after the other on a page that
// draws all of them anew after each key, a turn later, and focuses the one typed into.
func TestTypeOnAPageThatDrawsAnew(t *testing.T) {
	t.Parallel()
	b := newBench(t, page.Options{})
	b.open(`<div id=at></div><script>
state = {a: '', b: ''}
function draw(focus) {
	at.innerHTML = ''
	for (const k in state) {
		const i = Object.assign(document.createElement('input'), {id: k, value: state[k]})
		i.oninput = () => { state[k] = i.value; setTimeout(draw, 0, k) }
		at.append(i)
	}
	if (focus) { const i = document.getElementById(focus); i.focus(); i.setSelectionRange(99, 99) }
}
draw()</script>`)
	for i := range 6 {
		text := strings.Repeat("xy", i+1)
		b.must(obj{"type": "type", "selector": "#a", "text": text})
		b.must(obj{"type": "type", "selector": "#b", "text": text + "!"})
		if got, want := b.eval("state.a + ' ' + state.b"), text+" "+text+"!"; got != want {
			t.Fatalf("the page holds %q, want %q", got, want)
		}
	}
}
