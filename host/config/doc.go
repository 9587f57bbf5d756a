// Package config reads config.yaml: strict decoding with the place of every
// mistake, defaults, secrets, cross-checks, differences and watching.
//
// It guarantees that a Config that Load returned is valid as far as the file
// alone can tell, that all mistakes of a file are reported at once with file,
// line, column and the allowed values, and that no secret is printed by
// formatting a Config or any of its parts. Names that only plugins can vouch
// for are checked by Config.CheckNames once the plugins have described
// themselves. A Config is immutable after Load and safe for concurrent use.
package config

//go:generate go test ./internal/reference -update
