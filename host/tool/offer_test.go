package tool

import (
	"slices"
	"strings"
	"testing"
)

func offered(t *testing.T, set *Toolset, state GateState) []string {
	t.Helper()
	c, err := NewCatalog(
		&Tool{Name: "browser"}, &Tool{Name: "task", Gate: GateModel}, &Tool{Name: "browser_cdp", Gate: GateCDP})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, o := range Offers(c, set, state) {
		if o.Open {
			names = append(names, o.Name)
		}
	}
	return names
}

func TestOffers(t *testing.T) {
	t.Parallel()
	env := func(name string) (string, bool) {
		v, ok := map[string]string{"ON": "1", "OFF": "false"}[name]
		return v, ok
	}
	for _, tc := range []struct {
		name  string
		tools []string
		gates map[string]Gate
		state GateState
		want  []string
	}{
		{"cdp backend", []string{"browser", "browser_cdp"}, nil, GateState{CDP: true}, []string{"browser", "browser_cdp"}},
		{"no cdp", []string{"browser", "browser_cdp"}, nil, GateState{}, []string{"browser"}},
		{"a task attached", []string{"browser_cdp"}, nil, GateState{Attached: true}, []string{"browser_cdp"}},
		{"subagent on takes the browser's place", []string{"browser", "task"}, nil, GateState{Model: true}, []string{"task"}},
		{"subagent off gives it back", []string{"browser", "task"}, nil, GateState{}, []string{"browser"}},
		{"browser alone", []string{"browser"}, nil, GateState{Model: true}, []string{"browser"}},
		{"configured gate wins", []string{"browser", "browser_cdp"}, map[string]Gate{"browser": GateNever, "browser_cdp": GateAlways}, GateState{}, []string{"browser_cdp"}},
		{"environment", []string{"browser", "browser_cdp", "task"}, map[string]Gate{"browser": "env:ON", "browser_cdp": "env:OFF", "task": "env:UNSET"}, GateState{Env: env}, []string{"browser"}},
		{"not provided", []string{"later", "browser"}, nil, GateState{}, []string{"browser"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if got := offered(t, &Toolset{Tools: tc.tools, Gates: tc.gates}, tc.state); !slices.Equal(got, tc.want) {
				t.Errorf("offered %v, want %v", got, tc.want)
			}
		})
	}
}

func TestParseGate(t *testing.T) {
	t.Parallel()
	for _, good := range []string{"always", "never", "cdp", "model", "env:X"} {
		if g, err := ParseGate(good); err != nil || string(g) != good {
			t.Errorf("ParseGate(%q) = %q, %v", good, g, err)
		}
	}
	for _, bad := range []string{"", "env:", "env:A=B", "open"} {
		if _, err := ParseGate(bad); err == nil || !strings.Contains(err.Error(), "always, never, cdp, model or env:NAME") {
			t.Errorf("ParseGate(%q): %v", bad, err)
		}
	}
}

func TestMethodRules(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		rules  MethodRules
		method string
		ok     bool
	}{
		{"none", MethodRules{}, "Page.reload", true},
		{"denied", MethodRules{Deny: []string{"Page.reload"}}, "Page.reload", false},
		{"denied by domain", MethodRules{Deny: []string{"Page.*"}}, "Page.reload", false},
		{"domain is whole", MethodRules{Deny: []string{"Page.*"}}, "PageX.reload", true},
		{"not allowed", MethodRules{Allow: []string{"DOM.*"}}, "Page.reload", false},
		{"deny wins", MethodRules{Allow: []string{"*"}, Deny: []string{"Page.reload"}}, "Page.reload", false},
	} {
		if err := tc.rules.Check("set", tc.method); (err == nil) != tc.ok {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
	if err := (MethodRules{Allow: []string{"page.reload"}}).Validate(); err == nil || !strings.Contains(err.Error(), `"page.reload"`) {
		t.Errorf("Validate: %v", err)
	}
}

func TestCatalogRefusesATakenName(t *testing.T) {
	t.Parallel()
	c, err := NewCatalog(&Tool{Name: "a"})
	if err != nil {
		t.Fatal(err)
	}
	changed := c.Changed()
	if err := c.Set("plugin", []*Tool{{Name: "a"}}); err == nil {
		t.Error("a taken name was taken again")
	}
	if _, ok := c.Lookup("a"); !ok {
		t.Error("a refused Set has changed the catalog")
	}
	if err := c.Set("plugin", []*Tool{{Name: "b"}}); err != nil {
		t.Error(err)
	}
	<-changed
	if err := c.Set("plugin", nil); err != nil || len(c.Names()) != 1 {
		t.Errorf("%v, %v", err, c.Names())
	}
}
