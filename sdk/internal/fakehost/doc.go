// Package fakehost is a host without a browser: it answers what plugins ask of
// the service Host from a script, and keeps what they sent.
package fakehost
