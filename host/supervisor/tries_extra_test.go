//go:build extra

package supervisor_test

const tries = 200
