package plugin

import (
	"time"

	"github.com/hashicorp/go-hclog"
	"go.opentelemetry.io/otel/trace"

	"cdphost/host/supervisor"
)

// Options configure a Manager. Zero values mean the defaults that are named.
type Options struct {
	// Self is the program that serves builtins, as `Self plugin serve NAME`;
	// default: the running executable.
	Self string
	// SelfArgs come before NAME; default: "plugin", "serve".
	SelfArgs []string
	// Logger gets the plugins' log lines under their names.
	Logger hclog.Logger
	// Host is what plugins reach of the host; nil serves none.
	Host CaptureHost
	// Toolset names the toolset through which a task was made, for grants.
	Toolset func(supervisor.Key) string
	// Tracer returns the tracer that makes spans of hook calls now; nil, or a nil
	// result, makes none.
	Tracer func() trace.Tracer
	// OnSwap is called after each switch to other generations, and must not block.
	OnSwap func()
	// OnRestart is called after a plugin was restarted, and must not block.
	OnRestart func(name string)

	// StartTimeout bounds the handshake, Describe and Configure, each: 10 s.
	StartTimeout time.Duration
	// DrainTimeout is how long a replaced generation may finish its calls: 30 s.
	DrainTimeout time.Duration
	// StopTimeout is how long a plugin has for its Stop before it is killed: 2 s.
	StopTimeout time.Duration
	// HealthInterval is the time between two health checks, 5 s, and
	// HealthTimeout how long one may take, 2 s. Two misses in a row restart.
	HealthInterval time.Duration
	HealthTimeout  time.Duration
	// BackoffMin doubles with each restart in a row up to BackoffMax: 100 ms, 10 s.
	// The first restart comes at once.
	BackoffMin time.Duration
	BackoffMax time.Duration
	// RestartBudget is how many restarts in a row are tried, 5; then one is tried
	// every CoolDown, 60 s. The budget refills when a generation has lived RefillAfter,
	// 30 s.
	RestartBudget int
	CoolDown      time.Duration
	RefillAfter   time.Duration
	// EventQueue is how many events wait for a subscriber: 8192.
	EventQueue int
	// MaxCalls is how many CDP calls a plugin may have in flight: 256.
	MaxCalls int
}

func (o *Options) setDefaults() {
	def := func(d *time.Duration, v time.Duration) {
		if *d <= 0 {
			*d = v
		}
	}
	def(&o.StartTimeout, 10*time.Second)
	def(&o.DrainTimeout, 30*time.Second)
	def(&o.StopTimeout, 2*time.Second)
	def(&o.HealthInterval, 5*time.Second)
	def(&o.HealthTimeout, 2*time.Second)
	def(&o.BackoffMin, 100*time.Millisecond)
	def(&o.BackoffMax, 10*time.Second)
	def(&o.CoolDown, time.Minute)
	def(&o.RefillAfter, 30*time.Second)
	if o.RestartBudget <= 0 {
		o.RestartBudget = 5
	}
	if o.EventQueue <= 0 {
		o.EventQueue = 8192
	}
	if o.MaxCalls <= 0 {
		o.MaxCalls = 256
	}
	if o.SelfArgs == nil {
		o.SelfArgs = []string{"plugin", "serve"}
	}
	if o.Logger == nil {
		o.Logger = hclog.NewNullLogger()
	}
	if o.Tracer == nil {
		o.Tracer = func() trace.Tracer { return nil }
	}
	if o.OnSwap == nil {
		o.OnSwap = func() {}
	}
	if o.OnRestart == nil {
		o.OnRestart = func(string) {}
	}
}
