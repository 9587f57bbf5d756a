// Package supervisor is one task's view of a browser: it turns the events of a
// link into state, publishes that state as immutable snapshots, and answers
// dialogs as the task's policy or its agent decides.
//
// It guarantees:
//   - a Snapshot is read with one atomic load and never changes;
//   - nothing that reads state sends a command or waits for one;
//   - a dialog is answered at most once, by whoever decided first, and is closed
//     in the snapshot only after the browser confirmed it;
//   - a dialog that nobody decides on is ended by its deadline, and recorded;
//   - Stop returns after everything the task had is gone: pages, sessions,
//     goroutines, timers. Only the task's Record, with its counters, lives on.
package supervisor
