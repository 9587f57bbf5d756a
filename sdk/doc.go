// Package sdk is all that the author of a cdphost plugin imports: it serves a
// plugin's hooks to the host and gives it a handle on the browser.
//
// A plugin is a program that calls Serve with one Plugin. The host starts it as
// a process of its own, reads its configuration from config.yaml, and asks its
// hooks. The host holds all state that must survive a plugin, so a plugin may be
// killed at any moment and is started again; it keeps nothing that it can't lose.
//
// Hooks are called from several goroutines at once. The context of each call
// carries the host's deadline. A panic in a hook fails that call only.
package sdk
