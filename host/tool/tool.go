// Package tool is what an agent sees of the host: the tools, the toolsets that
// group them and the gates that decide where a tool is offered.
//
// It promises that a tool never waits for a dialog, that each failure is a code
// with a sentence that says what to do next, and that text which a page
// controls is capped and marked as untrusted where a model reads it.
package tool

import (
	"context"

	"github.com/google/jsonschema-go/jsonschema"

	"cdphost/sdk/fault"
)

// Tool is one tool: what a model is told of it and what runs when it is called.
// A Tool is immutable once it is in a Catalog; its Handler may run in several
// goroutines at once.
type Tool struct {
	Name        string
	Title       string
	Description string
	// InputSchema describes an object. OutputSchema may be nil.
	InputSchema  *jsonschema.Schema
	OutputSchema *jsonschema.Schema
	Annotations  Annotations
	// Gate is the condition under which the tool is offered when the
	// configuration says nothing about it; "" is GateAlways.
	Gate Gate
	// Handler carries out one call. An error becomes the reply
	// {"success": false, "error": {...}} with MCP's isError; see Failure.
	Handler func(context.Context, *Call) (*Result, error)
}

// Annotations are MCP's hints about a tool's behaviour.
type Annotations struct {
	ReadOnly    bool
	Destructive bool
	Idempotent  bool
	OpenWorld   bool
}

// Result is what a call gives back.
type Result struct {
	// Structured becomes structuredContent; it must marshal to a JSON object.
	Structured any
	// Text is what a model reads; "" stands for Structured as JSON.
	Text string
	// Untrusted says that the result quotes what a page wrote. A note for the
	// model is added then.
	Untrusted bool
	Images    []Image
	Links     []Link
	IsError   bool
	// Code is the error's, where IsError is set. It is for measurements; models
	// read it in Structured.
	Code fault.Code
	// Ask lists dialogs that the policy wants the user asked about.
	Ask []Question
}

// Image is a picture that goes into the reply as MCP image content.
type Image struct {
	MIME string
	Data []byte
}

// Link points to a result too big for the reply, kept as an MCP resource.
type Link struct {
	URI, Name, MIME, Description string
	// Size is the number of bytes behind the link.
	Size int64
}

// Schema parses a JSON Schema written as a literal; it panics on a bad one.
func Schema(literal string) *jsonschema.Schema {
	s := new(jsonschema.Schema)
	if err := s.UnmarshalJSON([]byte(literal)); err != nil {
		panic("tool: schema literal: " + err.Error())
	}
	return s
}
