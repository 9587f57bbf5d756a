// Package endpoint knows where a browser is: it parses and resolves the address
// of a running one, finds and launches a local one, and rents one from a
// provider.
//
// It guarantees that an address never shows its secrets, however it is printed,
// logged, marshalled or wrapped in an error; that an open port is not taken for
// a browser; and that a browser it launched, its child processes and its
// temporary profile end with the host, also when the host is killed.
package endpoint
