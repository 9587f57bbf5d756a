package house

import (
	"go/parser"
	"strings"
	"testing"
)

// TestEveryPackageSaysWhatItIsFor wants exactly one package comment a package.
func TestEveryPackageSaysWhatItIsFor(t *testing.T) {
	t.Parallel()
	comments := map[string][]string{}
	for _, file := range sources(t, parser.ParseComments|parser.PackageClauseOnly) {
		if file.test() || strings.HasSuffix(file.name, ".pb.go") {
			continue
		}
		folder := file.folder()
		comments[folder] = append(comments[folder], "")
		if file.Doc == nil {
			continue
		}
		comments[folder][len(comments[folder])-1] = file.name
		want := "Package " + file.Name.Name + " "
		if file.Name.Name == "main" {
			want = "Command "
		}
		if text := file.Doc.Text(); !strings.HasPrefix(text, want) {
			t.Errorf("%s: the package comment does not begin with %q", file.name, want)
		}
	}
	for folder, names := range comments {
		var with []string
		for _, name := range names {
			if name != "" {
				with = append(with, name)
			}
		}
		if len(with) != 1 {
			t.Errorf("%s: want one package comment, got %d %v", folder, len(with), with)
		}
	}
}
