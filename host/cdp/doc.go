// Package cdp speaks the Chrome DevTools Protocol over one transport to one
// browser: it sends commands, matches replies and hands on events.
//
// It guarantees:
//
//   - One goroutine reads and never waits for anything but the next message:
//     not for a caller, not for a writer, not for a lock that is held over I/O.
//   - One goroutine writes. Commands wait in two lanes; the control lane always
//     goes first. Every write has a deadline of its own, independent of any
//     caller's context.
//   - Every command names its session and is sent at most once. A call whose
//     context ended before its turn is never sent.
//   - Every call ends: with a result, with the browser's error, with its
//     context, with its session (FailSession) or with the connection. The
//     error says whether the command was sent.
//   - A message over the read limit is skipped while it streams in and costs
//     only the call that it answers.
//   - A panic in a handler or callback is contained, logged and counted.
//
// Results are owned by whoever receives them. Event parameters are valid only
// while the handler runs.
package cdp
