// Package sdktest runs a plugin inside a plain Go test: no process, but the same
// messages over the same gRPC services, against a fake host whose tasks, dialogs,
// frames and CDP replies the test scripts.
//
// Everything that Start makes ends with the test.
package sdktest
