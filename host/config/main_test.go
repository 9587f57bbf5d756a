package config_test

import (
	"flag"
	"testing"

	"go.uber.org/goleak"

	"cdphost/host/config"
)

var update = flag.Bool("update", false, "write the golden files")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// env makes a lookup from pairs of names and values.
func env(pairs ...string) func(string) (string, bool) {
	m := map[string]string{}
	for i := 0; i+1 < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	return func(name string) (string, bool) { v, ok := m[name]; return v, ok }
}

// parse reads text as config.yaml in a folder of its own and in an empty
// environment.
func parse(t *testing.T, text string, pairs ...string) (*config.Config, error) {
	t.Helper()
	return config.Loader{LookupEnv: env(pairs...), WorkDir: t.TempDir()}.Parse("config.yaml", []byte(text))
}

func mustParse(t *testing.T, text string, pairs ...string) *config.Config {
	t.Helper()
	c, err := parse(t, text, pairs...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
