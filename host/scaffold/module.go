package scaffold

import (
	"slices"
	"strings"
)

// onlyTests are what the SDK requires for its own tests alone.
var onlyTests = []string{"go.uber.org/goleak", "github.com/google/go-cmp", "gopkg.in/yaml.v3"}

// requirements returns the Go version and the requirements of a go.mod, as
// "PATH VERSION" and sorted: a module that uses the SDK requires them too.
func requirements(mod string) (goVersion string, requires []string) {
	inside := false
	for line := range strings.Lines(mod) {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 2 && fields[0] == "go":
			goVersion = fields[1]
		case len(fields) > 0 && fields[0] == "require":
			inside = true
		case len(fields) > 0 && fields[0] == ")":
			inside = false
		case inside && len(fields) >= 2 && !slices.Contains(onlyTests, fields[0]):
			requires = append(requires, fields[0]+" "+fields[1])
		}
	}
	slices.Sort(requires)
	return goVersion, requires
}
