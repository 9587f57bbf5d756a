package modeltest

import "net/http"

// Turn is what the model does on one request. The zero value is an empty
// answer.
type Turn struct {
	Text  string
	Calls []Call
	// Stop is "length" or "refused"; "" is what follows from Calls.
	Stop string
	// In and Out are the tokens told; both 0 tells none.
	In, Out int64

	// Status refuses the request with an HTTP status, Code and Message.
	Status        int
	Header        http.Header
	Code, Message string

	// Cut closes the connection in the middle of the reply.
	Cut bool
	// Unfinished ends the stream properly, but before the reply is whole.
	Unfinished bool
	// Broken sends Code and Message as an error inside the stream.
	Broken bool
	// Hang answers nothing until the client gives up.
	Hang bool
	// Page answers with a web page, as a proxy does.
	Page bool
}

// Call is a tool call. Args need not be JSON.
type Call struct{ ID, Name, Args string }

// Use is a Turn with one call of a tool.
func Use(name, args string) Turn { return Turn{Calls: []Call{{Name: name, Args: args}}} }

// Browse is a Turn with one action.
func Browse(args string) Turn { return Use("browser", args) }

// Complete is a Turn that ends the work.
func Complete(summary string) Turn {
	return Use("complete", `{"status":"completed","summary":`+quote(summary)+`}`)
}
