package config

// Audit is the record of what was done, and by whose decision.
type Audit struct {
	// The file that lines of JSON are added to, relative to this file. It is made
	// with mode 0600. Empty: no record.
	File string `yaml:"file" format:"path"`
}

// Trace is spans from tool call to CDP command to plugin hook.
type Trace struct {
	// Where OTLP over HTTP is taken, such as http://127.0.0.1:4318; spans go to
	// its /v1/traces unless a path is named. Empty: no spans are made.
	OTLPEndpoint string `yaml:"otlp_endpoint" format:"url"`
}
