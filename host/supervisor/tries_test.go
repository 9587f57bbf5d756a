//go:build !extra

package supervisor_test

// tries is how often a race is run that must never be lost; the tag extra runs it
// until luck is no explanation.
const tries = 40
