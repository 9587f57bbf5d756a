// Package subagent is the loop behind the task tool: a model of its own that
// extracts, thinks and acts in a browser until the work is done, and hands one
// summary back.
//
// It promises that nothing of the caller's conversation but the prompt goes in,
// that budgets and cancellation are enforced here and not by the model, that
// two runs on one task follow each other, and that no reply of a model, however
// malformed, ends in anything but a result or an error that says what to do. It
// knows neither browsers nor MCP: a Toolbox and a Model are handed to it.
package subagent
