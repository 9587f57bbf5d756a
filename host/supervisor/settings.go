package supervisor

import (
	"time"

	"cdphost/host/cdp"
	"cdphost/host/link"
)

// Settings are what configuration says about a task. They are replaced as a
// whole with Configure; a zero field has the default that its comment names.
type Settings struct {
	// Toolset names the toolset that the task was started through.
	Toolset string
	// Policy decides about dialogs; nil holds each one for the agent.
	Policy     Policy
	PolicyName string
	// PolicyTimeout is how long a dialog waits for its policy before it is held
	// (1 s). The verdict still counts when it comes later.
	PolicyTimeout time.Duration
	// DialogTimeout is the watchdog of a held dialog (300 s).
	DialogTimeout time.Duration
	// MessageCap is the longest dialog message kept, in characters (2000).
	MessageCap int
	// FloodPerSecond is how many dialogs a page may open in a second before the
	// breaker dismisses them (20).
	FloodPerSecond int
	// ConsoleMute is how long a session whose console floods is not listened to
	// (10 s).
	ConsoleMute time.Duration
	// InterceptTurn is how long one who intercepts a request may let others wait
	// who intercept it, too (30 s).
	InterceptTurn time.Duration
	// Bridge turns what pages do instead of opening a native dialog into dialogs;
	// nil leaves dialogs to the browser.
	Bridge Bridge
	// Publish, when not nil, gets every event whose method PublishMethods names
	// ("Domain.event" or "Domain.*"). It is called with the task's state locked:
	// it must not wait, and must not call back.
	Publish        func(Event)
	PublishMethods []string
	// Setup, when not nil, returns further set-up commands for a new session. It
	// runs on the reader goroutine and must not wait.
	Setup func(t link.Target) []cdp.Command
}

func (s Settings) withDefaults() Settings {
	if s.PolicyTimeout <= 0 {
		s.PolicyTimeout = time.Second
	}
	if s.DialogTimeout <= 0 {
		s.DialogTimeout = 300 * time.Second
	}
	if s.MessageCap <= 0 {
		s.MessageCap = 2000
	}
	if s.FloodPerSecond <= 0 {
		s.FloodPerSecond = 20
	}
	if s.ConsoleMute <= 0 {
		s.ConsoleMute = 10 * time.Second
	}
	if s.InterceptTurn <= 0 {
		s.InterceptTurn = 30 * time.Second
	}
	if s.PolicyName == "" {
		s.PolicyName = "must_respond"
	}
	return s
}
