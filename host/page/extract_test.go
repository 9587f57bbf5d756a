package page_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"cdphost/host/cdp/cdptest"
	"cdphost/host/page"
)

func TestElementLines(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		html string
		want []string // lines without uid
	}{
		"twins in a table": {`<table><tr><td>Jane Doe</td><td><button>View</button></td></tr><tr><td>Joe Bloggs</td><td><button>View</button></td></tr></table>`,
			[]string{`button "View" (row: Jane Doe)`, `button "View" (row: Joe Bloggs)`}},
		"twins in a list": {`<ul><li><b>Milk</b> <button>Add</button></li><li><b>Eggs</b> <button>Add</button></li></ul>`,
			[]string{`button "Add" (item: Milk)`, `button "Add" (item: Eggs)`}},
		"twins in cards": {`<div><div><h3>Lamp</h3><p>bright</p><button>Buy</button></div><div><h3>Chair</h3><button>Buy</button></div></div>`,
			[]string{`### Lamp`, `button "Buy" (group: Lamp)`, `### Chair`, `button "Buy" (group: Chair)`}},
		"twins without a difference": {`<button>OK</button><button>OK</button>`, []string{`button "OK" (1 of 2)`, `button "OK" (2 of 2)`}},
		"radio buttons": {`<fieldset><legend>Size</legend><label><input type=radio name=s checked>S</label><label><input type=radio name=s>M</label></fieldset>`,
			[]string{`radio "S" [checked] (group: Size)`, `radio "M" (group: Size)`}},
		"states": {`<button disabled>A</button><button aria-expanded=false>B</button><button aria-pressed=true>C</button><input required aria-label=D><input readonly aria-label=E value=v><input type=email value=bad aria-label=F><details open><summary>G</summary></details><a href="/h" aria-current=page>H</a>`,
			[]string{`button "A" [disabled]`, `button "B" [collapsed]`, `button "C" [pressed]`, `textbox "D" [required]`, `textbox "E" = "v" [readonly]`, `textbox "F" = "bad" [invalid]`, `button "G" [expanded]`, `link "H" [current] → /h`}},
		"values": {`<input aria-label=A value="x y"><input type=password aria-label=B value=secret><select aria-label=C><option>One<option selected>Two</select><textarea aria-label=D>t</textarea><input type=range aria-label=E value=30>`,
			[]string{`textbox "A" = "x y"`, `textbox "B" = "••••"`, `combobox "C" = "Two" options: One | Two`, `textbox "D" = "t"`, `slider "E" = "30"`}},
		"clickable without a role": {`<div onclick="1">By attribute</div><div style="cursor:pointer">By <b>hand</b></div><div tabindex=0>By focus</div>`,
			[]string{`clickable "By attribute"`, `clickable "By hand"`, `clickable "By focus"`}},
		"what nobody sees": {`<button hidden>A</button><button style="visibility:hidden">B</button><div aria-hidden=true><button>C</button></div><div inert><button>D</button></div><button style="position:absolute;left:-999px">E</button><div style="display:none"><button>F</button></div><button>G</button>`,
			[]string{`button "G"`}},
		"an open modal dialog": {`<button>Under</button><dialog id=d><button>Close</button></dialog><script>d.showModal()</script>`,
			[]string{`button "Close" [focused]`}},
		"closed shadow roots in each other": {`<div id=a></div><script>const r = a.attachShadow({mode:'closed'}); r.innerHTML = '<p>x</p><div id=b></div>'; r.getElementById('b').attachShadow({mode:'closed'}).innerHTML = '<button>Inmost</button>'</script>`,
			[]string{`button "Inmost"`}},
		"headings only where something follows": {`<h1>Top</h1><h2>Empty</h2><h2>Full</h2><button>A</button><h2>Last</h2>`, []string{`## Full`, `button "A"`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, page.Options{})
			b.open("<!doctype html>" + tc.html)
			list := b.must(obj{"type": "extract"})["elements"].(string)
			var got []string
			for l := range strings.Lines(list) {
				l = strings.TrimSpace(l)
				if strings.HasPrefix(l, "e") {
					_, l, _ = strings.Cut(l, " ")
				}
				got = append(got, l)
			}
			if fmt.Sprint(got) != fmt.Sprint(tc.want) {
				t.Errorf("the list is\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tc.want, "\n"))
			}
		})
	}
}

func TestMarkdownIsTheContent(t *testing.T) {
	t.Parallel()
	b := newBench(t, page.Options{})
	b.open(`<title>T</title><nav><a href=/n>Navigation</a></nav><div style="position:fixed;top:0"><p>Cookie banner</p></div>
<main><h1>Story</h1><p>One <b>bold</b> <a href="/l">link</a>.</p><ul><li>a<li>b</ul><p hidden>Hidden</p><p style="display:none">None</p>
<table><tr><th>K<th>V<tr><td>x<td>1</table><pre>  code
  here</pre><div id=h></div><script>h.attachShadow({mode:'open'}).innerHTML='<p>Shadow text</p>'</script></main><footer>Footer</footer><div role=dialog>Overlay</div>`)
	r := b.must(obj{"type": "extract"})
	md, _ := r["markdown"].(string)
	for _, want := range []string{"# Story", "One **bold** [link](http://a.test:", "- a\n- b", "| K | V |", "  code\n  here", "Shadow text"} {
		if !strings.Contains(md, want) {
			t.Errorf("the markdown lacks %q:\n%s", want, md)
		}
	}
	for _, no := range []string{"Navigation", "Cookie", "Hidden", "None", "Footer", "Overlay"} {
		if strings.Contains(md, no) {
			t.Errorf("the markdown has %q:\n%s", no, md)
		}
	}
	part := b.must(obj{"type": "extract", "selector": "table"})
	if part["element_count"] != float64(0) || strings.Contains(part["markdown"].(string), "Story") {
		t.Errorf("the extract of the table is %v", part)
	}
}

func TestExtractKeepsItsBudgetAndGoesOn(t *testing.T) {
	t.Parallel()
	b := newBench(t, page.Options{})
	b.open(cards(150))
	seen := map[string]bool{}
	var markdown, count = "", 0
	for cursor, rounds := "", 0; ; rounds++ {
		args := obj{"type": "extract"}
		if cursor != "" {
			args["cursor"] = cursor
		}
		reply := b.do(args)
		raw, err := json.Marshal(reply)
		if err != nil || !reply.OK {
			t.Fatalf("%v %v", err, reply.Error)
		}
		if len(raw) > 8192 {
			t.Errorf("a reply has %d bytes", len(raw))
		}
		r := result(t, reply)
		for _, l := range elementLines(r["elements"].(string)) {
			if seen[l.uid] {
				t.Errorf("%s was told twice", l.uid)
			}
			seen[l.uid] = true
			count++
		}
		markdown += r["markdown"].(string)
		if r["truncated"] != true {
			break
		}
		if cursor, _ = r["cursor"].(string); cursor == "" || rounds > 100 {
			t.Fatalf("truncated, but no way to go on: %v", r)
		}
	}
	if count != 600 {
		t.Errorf("%d elements were told, want 600", count)
	}
	for i := range 150 {
		if want := fmt.Sprintf("Item number %d]", i); strings.Count(markdown, want) != 1 {
			t.Fatalf("the markdown has %q %d times", want, strings.Count(markdown, want))
		}
	}
}

func TestChangedSince(t *testing.T) {
	t.Parallel()
	b := newBench(t, page.Options{})
	b.open(`<h1>News</h1><p id=p>Old story</p><button id=a>Stay</button><button id=b>Change</button><button id=c>Go</button>`)
	v := b.must(obj{"type": "extract"})["version"]
	b.eval(`b.textContent = 'Changed'; c.remove(); document.body.insertAdjacentHTML('beforeend', '<p>New story</p><button>Fresh</button>'); 1`)
	r := b.must(obj{"type": "extract", "changed_since": v})
	if got := r["elements"]; got != "~ e2 button \"Changed\"\n+ e4 button \"Fresh\"\n" {
		t.Errorf("the changes are %q", got)
	}
	if got := fmt.Sprint(r["gone"]); got != `[e3 button "Go"]` {
		t.Errorf("gone is %v", got)
	}
	if got, _ := r["markdown"].(string); !strings.Contains(got, "New story") || strings.Contains(got, "Old story") {
		t.Errorf("the new passages are %q", got)
	}
	r = b.must(obj{"type": "extract", "changed_since": "v99"})
	if r["note"] == nil || !strings.Contains(r["elements"].(string), "Stay") {
		t.Errorf("an unknown version gives %v, want the whole page and a note", r)
	}
}

func TestFramesStandWhereTheyAre(t *testing.T) {
	t.Parallel()
	b := newBench(t, page.Options{})
	b.openSite(cdptest.Hosts{
		"a.test": cdptest.Paths{"/": `<button>Before</button><iframe src="http://b.test:{{port}}/" title=Pay></iframe><button>Between</button><iframe src="/in"></iframe><button>After</button>`, "/in": `<button>Same site</button>`},
		"b.test": cdptest.Paths{"/": `<button>Other site</button><iframe srcdoc="<button>Srcdoc</button>"></iframe>`},
	})
	b.must(obj{"type": "wait_for", "text": "Srcdoc"})
	r := b.must(obj{"type": "extract"})
	var order []string
	for l := range strings.Lines(r["elements"].(string)) {
		l, _, _ = strings.Cut(strings.TrimSpace(l), " (frame_id")
		order = append(order, l)
	}
	site := strings.TrimSuffix(strings.TrimPrefix(r["url"].(string), "http://a.test"), "/")
	want := []string{`e1 button "Before"`, `--- frame "Pay" from http://b.test` + site, `e2 button "Other site"`, `--- frame`, `e3 button "Srcdoc"`, `--- end of frame`, `--- end of frame`,
		`e4 button "Between"`, `--- frame`, `e5 button "Same site"`, `--- end of frame`, `e6 button "After"`}
	if strings.Join(order, "\n") != strings.Join(want, "\n") {
		t.Errorf("the list is\n%s\nwant\n%s", strings.Join(order, "\n"), strings.Join(want, "\n"))
	}
	if !strings.Contains(r["text"].(string), "--- frame from http://b.test") {
		t.Errorf("the text does not say where the frame's is from: %q", r["text"])
	}
}

func TestElementsOfASnapshot(t *testing.T) {
	t.Parallel()
	b := newBench(t, page.Options{})
	b.open(cards(30))
	el, err := b.e.Elements(b.in, "", 1000)
	if err != nil {
		t.Fatal(err)
	}
	if el.Count != 120 || !el.Truncated || len(el.Text) > 1000 || el.Title != "Cards" || !strings.Contains(el.Text, `e1 link "Item number 0"`) {
		t.Errorf("the elements are %+v", el)
	}
}
