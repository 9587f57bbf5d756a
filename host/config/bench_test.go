package config_test

import (
	"testing"

	"cdphost"
	"cdphost/host/config"
)

func BenchmarkParse(b *testing.B) {
	for b.Loop() {
		if _, err := (config.Loader{LookupEnv: env()}).Parse("config.yaml", cdphost.DefaultConfig); err != nil {
			b.Fatal(err)
		}
	}
}
