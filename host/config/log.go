package config

// Log is what the host says on stderr.
type Log struct {
	// The least severe level that is written.
	Level LogLevel `yaml:"level"`
	// How a line looks.
	Format LogFormat `yaml:"format"`
}

// LogLevel is a severity.
type LogLevel string

// Levels, as hclog names them.
const (
	LevelTrace LogLevel = "trace"
	LevelDebug LogLevel = "debug"
	LevelInfo  LogLevel = "info"
	LevelWarn  LogLevel = "warn"
	LevelError LogLevel = "error"
	LevelOff   LogLevel = "off"
)

func (LogLevel) values() []string {
	return enumValues(LevelTrace, LevelDebug, LevelInfo, LevelWarn, LevelError, LevelOff)
}

// LogFormat is how a log line looks.
type LogFormat string

// Formats.
const (
	FormatText LogFormat = "text"
	FormatJSON LogFormat = "json"
)

func (LogFormat) values() []string { return enumValues(FormatText, FormatJSON) }
