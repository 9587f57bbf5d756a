// Package link is the host's one connection to a browser, shared by all tasks
// that use that browser.
//
// It guarantees:
//   - at most one root-attached connection per browser, however many tasks share
//     it, because root-attached connections pause each other's pages;
//   - every new page and out-of-process iframe of a task is set up in one burst
//     while it is paused, its release last, and nothing in that burst is awaited;
//   - a target that belongs to no task is released and let go at once;
//   - a session belongs to one epoch (one attachment of the link): a stale name
//     is refused with a typed error and never sent;
//   - reconnecting ends: after a budget of failures the link says so once and
//     closes.
//
// The link routes events to its members in the order they arrive, on the reader
// goroutine of the connection; nothing there waits.
package link
