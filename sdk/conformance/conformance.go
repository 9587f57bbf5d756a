// Package conformance runs the checks that every plugin must pass from a plugin's
// own tests: `cdphost plugin check` runs the same ones against the built program.
package conformance

import (
	"encoding/json"
	"testing"

	"cdphost/sdk"
	"cdphost/sdk/conformance/suite"
)

// Test checks p, each check as a subtest. config is a value that marshals to a
// JSON object, or nil for the defaults. The plugin runs in the test's process;
// what needs a process of its own is skipped.
func Test(t *testing.T, p *sdk.Plugin, config any) {
	t.Helper()
	var raw json.RawMessage
	if config != nil {
		var err error
		if raw, err = json.Marshal(config); err != nil {
			t.Fatalf("the configuration is not JSON: %v", err)
		}
	}
	suite.Run(t.Context(), inProcess{t, p}, suite.Options{Config: raw}, func(r suite.Result) {
		t.Run(r.Check, func(t *testing.T) {
			switch r.Status {
			case suite.Failed:
				t.Errorf("%s\n-> %s", r.Detail, r.Advice)
			case suite.Skipped:
				t.Skip(r.Detail)
			case suite.OK:
				t.Log(r.Detail)
			}
		})
	})
}
