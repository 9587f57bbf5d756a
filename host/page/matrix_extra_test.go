//go:build extra

package page_test

func inMatrix(_, _, _ int) bool { return true }
