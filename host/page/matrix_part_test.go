//go:build !extra

package page_test

// inMatrix picks for each action and kind one way, so that each way has its turn.
func inMatrix(action, kind, way int) bool { return (3*action+5*kind+way)%len(matrixWays) == 0 }
