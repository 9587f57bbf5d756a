package config

import "time"

// Browserbase is the account of backend browserbase.
type Browserbase struct {
	// The secret key.
	APIKey Secret `yaml:"api_key"`
	// A file that holds the secret key, relative to this file.
	APIKeyFile string `yaml:"api_key_file" secret:"api_key"`
	// The project in which sessions are made.
	ProjectID string `yaml:"project_id"`
	// The address of the service.
	BaseURL string `yaml:"base_url" format:"url" needed:"true"`
	// Where sessions run, for example eu-central-1. Empty: the service decides.
	Region string `yaml:"region"`
	// Keep a session when its connection drops.
	KeepAlive bool `yaml:"keep_alive"`
	// Use the service's proxies.
	Proxies bool `yaml:"proxies"`
	// Seconds after which the service ends a session. 0: the project's setting.
	Timeout time.Duration `yaml:"timeout_s" unit:"s" min:"0" max:"86400"`
}
