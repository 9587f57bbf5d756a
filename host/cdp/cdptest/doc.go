// Package cdptest is what tests and benchmarks of CDP code need around them: a real Chromium, a mock
// of one, a proxy that damages the way to one, a raw client, and a web site of many hosts.
//
// Everything listens on loopback and is ended by the Cleanup of the [TB] it was made with, or by its
// Close when it was made by a constructor that takes no TB. A missing browser fails the test, it
// never skips it. The raw [Client] shares no code with the product's own CDP client, so that it can
// be the second opinion of a test.
package cdptest
