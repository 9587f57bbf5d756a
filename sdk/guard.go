package sdk

import (
	"context"
	"encoding/json"

	"cdphost/sdk/fault"
)

// CommandGuard judges the commands of everybody whose method its Filter names,
// before they are sent. It must answer within the host's deadline (500 ms by
// default) and can't call CDP meanwhile.
type CommandGuard interface {
	// Filter is read once, when the plugin is configured.
	Filter() Filter
	// Validate judges one command. An error refuses it, with the error's text as
	// the reason.
	Validate(ctx context.Context, req GuardRequest) (GuardVerdict, error)
}

// Filter says which commands a guard sees.
type Filter struct {
	// Methods are "Domain.method" or "Domain.*".
	Methods []string
	// Compare names the fields of Facts whose change between verdict and write
	// makes the host ask again; empty means all but url and title.
	Compare []string
}

// GuardRequest is what a CommandGuard is asked.
type GuardRequest struct {
	Task    Task
	Command Command
	Facts   Facts
	// Sender is the tool or plugin that sends the command.
	Sender string
}

// GuardVerdict is a CommandGuard's answer. Its zero value allows.
type GuardVerdict struct {
	deny   bool
	reason string
	params json.RawMessage
}

// Allow lets the command pass.
func Allow() GuardVerdict { return GuardVerdict{} }

// Deny refuses the command; reason tells the sender why.
func Deny(reason string) GuardVerdict { return GuardVerdict{deny: true, reason: reason} }

// Rewrite lets the command pass with other params.
func Rewrite(params json.RawMessage) GuardVerdict { return GuardVerdict{params: params} }

// Err returns nil for a verdict that lets the command pass, and an error with
// fault.Denied otherwise.
func (v GuardVerdict) Err() error {
	if !v.deny {
		return nil
	}
	return fault.New(fault.Denied, "%s", v.reason)
}

// Params returns the params of a Rewrite, or nil.
func (v GuardVerdict) Params() json.RawMessage { return v.params }
