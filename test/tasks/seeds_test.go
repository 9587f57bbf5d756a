//go:build !extra

package tasks

// seeds are one of those that the tag extra tries.
var seeds = []int{3}
