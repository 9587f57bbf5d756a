package config_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/go-hclog"
	"gopkg.in/yaml.v3"

	"cdphost/host/config"
)

const hunter = "hunter2-very-secret"

func TestSecretNeverPrints(t *testing.T) {
	t.Parallel()
	s := config.NewSecret(hunter)
	holder := struct {
		Public config.Secret
		hidden config.Secret
		Ptr    *config.Secret
	}{s, s, &s}
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%t", "%p", "%10s", "%!"} {
		fmt.Fprintf(&out, verb+" "+verb+" "+verb+"\n", s, &s, holder)
	}
	fmt.Fprintln(&out, s, s.String(), s.GoString(), []config.Secret{s}, map[string]config.Secret{"a": s}, fmt.Errorf("x %v", s))
	for _, v := range []any{s, &s, holder, map[string]any{"a": s}} {
		if err := json.NewEncoder(&out).Encode(v); err != nil {
			t.Fatal(err)
		}
		text, err := yaml.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(text)
	}
	slog.New(slog.NewTextHandler(&out, nil)).Info("x", "secret", s, "holder", holder)
	slog.New(slog.NewJSONHandler(&out, nil)).Info("x", "secret", s, "holder", holder)
	hclog.New(&hclog.LoggerOptions{Output: &out}).Info("x", "secret", s, "holder", holder)
	hclog.New(&hclog.LoggerOptions{Output: &out, JSONFormat: true}).Info("x", "secret", s, "holder", holder)
	if strings.Contains(out.String(), "hunter2") || strings.Contains(out.String(), fmt.Sprintf("%x", "hunter2")) {
		t.Errorf("printed:\n%s", out.String())
	}
	if s.String() != "[redacted]" || s.Reveal() != hunter {
		t.Errorf("String %q, Reveal %q", s, s.Reveal())
	}
}

func TestEmptySecret(t *testing.T) {
	t.Parallel()
	s := config.NewSecret("")
	if !s.IsZero() || s.String() != "" || s.Reveal() != "" || fmt.Sprintf("%v|%#v", s, s) != `|config.Secret("")` {
		t.Errorf("%#v", s)
	}
	if !s.Equal(config.Secret{}) || s.Equal(config.NewSecret("x")) || !config.NewSecret("x").Equal(config.NewSecret("x")) {
		t.Error("Equal")
	}
}

// No way of printing a Config shows what came from the environment into secrets
// and plugins.
func TestConfigNeverPrintsSecrets(t *testing.T) {
	t.Parallel()
	c := mustParse(t, `
browser: {cdp_url: "wss://h/?token=${S}"}
browserbase: {api_key: "${S}"}
server: {token: hunter2-very-secret}
toolsets: {core: {token: "${S}"}}
plugins: {dialog: {config: {nested: [{key: "${S}"}]}}}
`, "S", hunter)
	var out bytes.Buffer
	fmt.Fprintf(&out, "%v %+v %#v %v", c, c, c, *c)
	fmt.Fprintf(&out, "%v %+v %#v", c.Plugins, c.Plugins, c.Plugins["dialog"])
	if err := json.NewEncoder(&out).Encode(c); err != nil {
		t.Fatal(err)
	}
	text, err := yaml.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	out.Write(text)
	if strings.Contains(out.String(), "hunter2") {
		t.Errorf("printed:\n%s", out.String())
	}
	if got := string(c.Plugins["dialog"].Config.JSON()); !strings.Contains(got, hunter) {
		t.Errorf("the plugin gets %s", got)
	}
	if !strings.Contains(out.String(), "${S}") {
		t.Error("a plugin's configuration is not shown as written")
	}
}

func TestErrorsNeverShowSecrets(t *testing.T) {
	t.Parallel()
	_, err := parse(t, `
browserbase: {api_key: [hunter2-very-secret], api_key_file: hunter2-very-secret, base_url: "${S}", region: "${S"}
log: {level: "${S}"}
server: {token: 'hunter2-very-secret', token_file: hunter2-very-secret, listen: "${S}"}
`, "S", hunter)
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("error:\n%v", err)
	}
}

func TestSecretFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "token"), "\n  "+hunter+" \r\n")
	file := filepath.Join(dir, "config.yaml")
	write(t, file, `
server: {token_file: token}
browserbase: {api_key_file: `+filepath.Join(dir, "token")+`}
toolsets: {hermes-api-server: {token_file: ./token}, core: {token_file: "${UNSET}"}}
`)
	c, err := config.Loader{LookupEnv: env()}.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []config.Secret{c.Server.Token, c.Browserbase.APIKey, c.Toolsets["hermes-api-server"].Token} {
		if s.Reveal() != hunter || s.Missing() != "" {
			t.Errorf("%q, missing %q", s.Reveal(), s.Missing())
		}
	}
	if s := c.Toolsets["core"].Token; !s.IsZero() || s.Missing() != "UNSET" {
		t.Errorf("core: missing %q", s.Missing())
	}
	if _, unset := c.UnsetAt("browserbase.api_key"); unset {
		t.Error("the default's variable still counts as unset")
	}
	if files := c.Files(); len(files) != 4 || files[0] != file {
		t.Errorf("files %v", files)
	}
}

func write(t testing.TB, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
