// Package local is the directory of the tasks of this process: it finds, starts,
// connects and ends them for the tools.
//
// Everything that a tool sends through one of its tasks goes through a capture
// handle, so what holds for plugins holds for tools.
package local
