package page_test

import (
	"encoding/json"
	"strings"
	"testing"

	"cdphost/host/cdp"
	"cdphost/host/page"
)

// axPages are pages as they are found on the web; on each, roles and names of
// the element list are compared with Chromium's accessibility tree.
var axPages = map[string]string{
	"form": `<title>Form</title><form aria-label="Sign up"><label for=a>First name</label><input id=a required>
<label>Last name <input name=l></label><label for=e>E-mail <em>(work)</em></label><input id=e type=email placeholder="you@example.com">
<input type=tel placeholder="Phone"><input type=url aria-label="Web site"><input type=password title="Secret">
<input type=search placeholder="Search all"><input type=number aria-labelledby="q u"><span id=q>Quantity</span> <span id=u>in kg</span>
<input type=range aria-label=Volume min=0 max=10 value=3><textarea placeholder="Tell us"></textarea>
<fieldset><legend>Plan</legend><label><input type=radio name=p> Free</label><label><input type=radio name=p checked> Pro <small>(10 EUR)</small></label></fieldset>
<label><input type=checkbox> I agree to the <a href=/terms>terms</a></label>
<label for=c>Country</label><select id=c><option>France</option><option selected>Spain</option></select>
<select multiple aria-label="Languages"><option>Go</option><option>C</option></select>
<input list=dl aria-label="City"><datalist id=dl><option>Rome</datalist>
<input type=submit><input type=reset><input type=button value="Check"><input type=image alt="Send" src="data:,">
<button>Save <b>all</b></button><button disabled>Later</button><button aria-label="Close"><svg></svg></button><button title="Help">?</button>
<label>Date <input type=date></label><label>Time <input type=time></label><label>Color <input type=color></label><label>File <input type=file></label></form>`,

	"navigation": `<title>Nav</title><header><a href=/><img alt="Home page" src="data:," width=20 height=20></a><nav><ul><li><a href=/a>Products</a></li><li><a href=/b>About <span aria-hidden=true>→</span></a></li>
<li><a href=/c aria-current=page>Contact</a></li></ul></nav><a href="#main" title="Skip">Skip to content</a></header>
<main id=main><h1>Welcome</h1><p>Read <a href=/more>more <i>here</i></a>, or <a href=/x><span>Line one</span><br><span>Line two</span></a>.</p>
<a href=/img><img src="data:," width=9 height=9 alt=""><span>Picture link</span></a><a href=/svg><svg width=10 height=10><title>Chart</title><rect width=9 height=9 /></svg></a>
<details><summary>More <b>details</b></summary><button>Inside</button></details><details open><summary>Open one</summary><a href=/in>In it</a></details>
<div role=button tabindex=0>Fake button</div><span role=link tabindex=0 aria-label="Fake link">x</span>
<div role="switch" aria-checked=true tabindex=0>Dark mode</div><div role=checkbox aria-checked=mixed tabindex=0 aria-labelledby=cl>[-]</div><span id=cl>Select all</span></main>
<footer><a href=/imprint>Imprint</a></footer>`,

	"widgets": `<title>Widgets</title><div role=tablist aria-label=Views><button role=tab aria-selected=true>Day</button><button role=tab aria-selected=false>Week</button></div>
<div role=menubar><div role=menuitem tabindex=0>File</div><div role=menuitemcheckbox aria-checked=true tabindex=-1>Word wrap</div><div role=menuitemradio aria-checked=false tabindex=-1>Large</div></div>
<div role=listbox aria-label=Colors tabindex=0><div role=option aria-selected=true>Red</div><div role=option>Green</div></div>
<ul role=tree><li role=treeitem aria-expanded=true tabindex=0>Root</li><li role=treeitem tabindex=-1>Leaf</li></ul>
<div role=combobox aria-expanded=false aria-label="Pick one" tabindex=0>Nothing</div><div role=slider aria-valuenow=4 aria-valuemin=0 aria-valuemax=9 aria-label=Zoom tabindex=0>4</div>
<div role=spinbutton aria-valuenow=2 aria-label=Guests tabindex=0>2</div><div role=textbox contenteditable aria-label=Note>hello</div><div role=searchbox contenteditable aria-placeholder="Find"></div>
<div role="foo button" tabindex=0>Fallback role</div><button role=presentation>Still a button</button><button role=none aria-hidden=false>Also</button>
<button><span hidden>Hidden</span>Shown</button><button><span style="display:none">Gone</span><span style="visibility:hidden">Not seen</span>Seen</button>
<button><img alt="Icon" src="data:," width=9 height=9> text</button><button aria-labelledby="x1 x2">z</button><span id=x1>Delete</span><span id=x2>Report.pdf</span>
<button aria-describedby=x1>Described</button><button aria-pressed=true>Bold</button><button aria-haspopup=menu aria-expanded=false>Menu</button>
<table><tr><th scope=row>Jane</th><td><button>Edit</button></td></tr><tr><th scope=row>Joe</th><td><button>Edit</button></td></tr></table>`,

	"shadow": `<title>Shadow</title><my-button>Buy <b>now</b></my-button><my-field></my-field><button><my-label></my-label></button>
<script>const def=(n,h,mode)=>customElements.define(n,class extends HTMLElement{constructor(){super();this.attachShadow({mode}).innerHTML=h}});
def('my-button','<button><slot></slot></button>','open');def('my-field','<label>Inner <input></label><a href=/s>Shadow link</a>','open');def('my-label','<span>From the shadow</span>','open');</script>`,

	"pseudo": `<title>Pseudo</title><style>.req::after{content:" *"}.q::before{content:"“"}.q::after{content:"”"}.up{text-transform:uppercase}.b span{display:block}.f{display:flex}.f span{flex:1}</style>
<button class=req>Name</button><a href=/q class=q>quote</a><button class=up>shout</button><button class=b><span>One</span><span>Two</span></button><button class=f><span>Left</span><span>Right</span></button>
<label class=req for=i>Street</label><input id=i><a href=/w>  spaced
 out   text </a><button>A<wbr>B&shy;C</button><button><code>x</code>=<var>y</var></button>
<a href=/t><h3>Card title</h3><p>Card text</p></a><button><ul><li>one</li><li>two</li></ul></button>`,
}

// axNode is a node of Accessibility.getFullAXTree.
type axNode struct {
	Ignored bool `json:"ignored"`
	Role    struct {
		Value string `json:"value"`
	} `json:"role"`
	Name struct {
		Value string `json:"value"`
	} `json:"name"`
	ID     string `json:"nodeId"`
	Parent string `json:"parentId"`
}

// axRoles are the interactive roles of the tree, with our name for those that
// Chromium gives a name of its own.
var axRoles = map[string]string{
	"button": "button", "link": "link", "textbox": "textbox", "searchbox": "searchbox", "checkbox": "checkbox", "radio": "radio",
	"combobox": "combobox", "listbox": "listbox", "menuitem": "menuitem", "menuitemcheckbox": "menuitemcheckbox",
	"menuitemradio": "menuitemradio", "tab": "tab", "switch": "switch", "slider": "slider", "spinbutton": "spinbutton", "treeitem": "treeitem",
	"DisclosureTriangle": "button", "Date": "date", "InputTime": "time", "DateTime": "datetime", "ColorWell": "color",
}

func TestRolesAndNamesAreChromiums(t *testing.T) {
	t.Parallel()
	var all, same int
	for name, html := range axPages {
		b := newBench(t, page.Options{})
		b.open(html)
		ours := map[string]int{}
		for _, l := range elementLines(b.must(obj{"type": "extract", "max_bytes": 100000})["elements"].(string)) {
			if l.role == "file" { // to Chromium a button
				l.role = "button"
			}
			if l.role != "option" { // Chromium lists the hidden ones of a select too
				ours[l.role+" "+l.name]++
			}
		}
		parts := map[string]bool{} // what a date or time field is made of
		for _, n := range b.axTree() {
			role, interactive := axRoles[n.Role.Value]
			inside := parts[n.Parent]
			parts[n.ID] = inside || role == "date" || role == "time" || role == "datetime"
			if n.Ignored || !interactive || inside {
				continue
			}
			all++
			key := role + " " + strings.ReplaceAll(strings.Join(strings.Fields(n.Name.Value), " "), `"`, "'")
			if ours[key] > 0 {
				ours[key]--
				same++
				continue
			}
			t.Logf("%s: Chromium has %q", name, key)
		}
		for k, n := range ours {
			if n > 0 {
				t.Logf("%s: ours alone: %q", name, k)
			}
		}
	}
	t.Logf("%d of %d interactive nodes agree", same, all)
	if same*100 < all*98 {
		t.Errorf("%d of %d interactive nodes have Chromium's role and name; want 98 %%", same, all)
	}
}

func (b *bench) axTree() []axNode {
	b.t.Helper()
	p, ok := b.s.Snapshot().CurrentPage()
	if !ok {
		b.t.Fatal("no page")
	}
	raw, err := b.s.Call(b.in, cdp.Command{SessionID: p.SessionID, Method: "Accessibility.getFullAXTree"})
	if err != nil {
		b.t.Fatal(err)
	}
	var tree struct {
		Nodes []axNode `json:"nodes"`
	}
	if err := json.Unmarshal(raw, &tree); err != nil {
		b.t.Fatal(err)
	}
	return tree.Nodes
}

// elementLine is a line of the element list, taken apart.
type elementLine struct{ uid, role, name, rest string }

func elementLines(list string) []elementLine {
	var out []elementLine
	for l := range strings.Lines(list) {
		uid, rest, _ := strings.Cut(strings.TrimSpace(strings.TrimLeft(l, "~+ ")), " ")
		if !strings.HasPrefix(uid, "e") {
			continue
		}
		role, rest, _ := strings.Cut(rest, " ")
		var name string
		if strings.HasPrefix(rest, `"`) {
			name, rest, _ = strings.Cut(rest[1:], `"`)
		}
		out = append(out, elementLine{uid, role, name, rest})
	}
	return out
}
