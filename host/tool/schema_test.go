package tool

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cdphost/sdk/fault"
)

// Every reply that the golden files hold, and every failure, is what the tool's
// output schema says.
func TestRepliesFitTheirSchemas(t *testing.T) {
	t.Parallel()
	k, _, _ := bench()
	byPrefix := map[string]string{
		"browser_navigate": "navigate", "browser_snapshot": "snapshot", "browser_dialog": "dialog",
		"browser_cdp": "cdp", "browser_connect": "connect", "browser_disconnect": "disconnect", "browser": "browser",
	}
	failure, err := json.Marshal(Fail(fault.New(fault.NoDialog, "None.").With("pending_dialogs", []string{})).Structured)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range Builtin(k) {
		prefix, ok := byPrefix[tool.Name]
		if !ok {
			continue
		}
		t.Run(tool.Name, func(t *testing.T) {
			t.Parallel()
			schema, err := tool.OutputSchema.Resolve(nil)
			if err != nil {
				t.Fatal(err)
			}
			replies := map[string][]byte{"failure": failure}
			files, err := filepath.Glob(filepath.Join("testdata", prefix+"*.json"))
			if err != nil || len(files) == 0 {
				t.Fatalf("no golden files of %s: %v", prefix, err)
			}
			for _, file := range files {
				if replies[file], err = os.ReadFile(file); err != nil {
					t.Fatal(err)
				}
			}
			for name, data := range replies {
				var reply map[string]any
				if err := json.Unmarshal(data, &reply); err != nil {
					t.Fatal(err)
				}
				if err := schema.Validate(reply); err != nil {
					t.Errorf("%s: %v", name, err)
				}
				for field := range reply {
					if tool.OutputSchema.Properties[field] == nil && name != "failure" {
						t.Errorf("%s: the schema does not know %q", name, field)
					}
				}
			}
		})
	}
}

// Models pay for every byte of a definition in every conversation.
func TestInputSchemas(t *testing.T) {
	t.Parallel()
	k, _, _ := bench()
	for _, tool := range Builtin(k) {
		if _, err := tool.InputSchema.Resolve(nil); err != nil {
			t.Errorf("%s: %v", tool.Name, err)
		}
		data, err := json.Marshal(tool.InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		if limit := 800; tool.Name != nameBrowser && len(data)+len(tool.Description) > 2*limit {
			t.Errorf("%s: %d bytes of schema, %d of description", tool.Name, len(data), len(tool.Description))
		}
		if !strings.Contains(string(data), `"task_id"`) {
			t.Errorf("%s takes no task_id", tool.Name)
		}
	}
}
