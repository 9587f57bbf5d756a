package cdptest

// TB is what the package needs of a testing.TB. A program that is no test can bring its own.
type TB interface {
	Helper()
	Cleanup(func())
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}
