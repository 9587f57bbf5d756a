package subagent

import (
	"time"

	"cdphost/sdk/fault"
)

// Failure says what can be done about a request that failed.
type Failure int

const (
	// Permanent failures come again however often one tries.
	Permanent Failure = iota
	// Transient failures may be gone at the next try.
	Transient
	// TooLong is a conversation that exceeds what the model can read.
	TooLong
	// NoPictures is a model that can't look at pictures.
	NoPictures
)

// ModelError is a request to a model that failed. Fault carries the code and
// the sentence for whoever configured the model; it quotes no secret.
type ModelError struct {
	Fault   *fault.Error
	Failure Failure
	// RetryAfter is how long the service asks to be left alone; 0 says nothing.
	RetryAfter time.Duration
	// Spent is true when the model had begun to answer, so that tokens were used.
	Spent bool
}

// Error returns the fault's text.
func (e *ModelError) Error() string { return e.Fault.Error() }

// Unwrap returns the fault.
func (e *ModelError) Unwrap() error { return e.Fault }
