// Package plugin runs the plugin processes: it launches, describes, configures
// and supervises them, swaps one generation for another, and offers their hooks
// to the rest of the host.
//
// A plugin that crashes, hangs, floods or lies costs its own calls only: every
// wait on it is bounded, its process group is killed in the end, and it is
// started again with backoff and a budget. Clients of hooks find the current
// generation at each call, so they stay valid across restarts and swaps. No lock
// is held while a plugin is asked.
package plugin
