// Package capture is how anybody but the host itself sends CDP commands: through
// a handle that is pinned to one attachment of a task's browser.
//
// It guarantees, for every command of a handle:
//   - what is checked, and shown to validators, is what the browser acts on;
//   - it names only what belongs to the task, on browser and on page sessions
//     alike, and what its holder was granted;
//   - it leaves only if everything the host has read from the browser by then
//     still agrees with what the validators were shown;
//   - it never reaches a later connection than the handle's, and never leaves
//     after its deadline;
//   - it switches off nothing that the host or another holder relies on, and
//     shares what CDP has only one of for a session;
//   - what it made (sessions, targets, init scripts, bindings, interception) is
//     recorded with the handle and undone when the handle is released, also when
//     the reply came after the caller had gone.
//
// No lock is held while a validator is asked.
package capture
