// Package reference renders docs/config.md from the code of package config, so
// that the reference can't say anything else than the program does.
package reference

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"strings"

	"cdphost/host/config"
)

const head = `# config.yaml: the reference

Generated from the code of ` + "`host/config`" + `; do not edit. The defaults, with comments, are in
[config.yaml](../config.yaml).

One file, strict: an unknown key, a wrong type or an unknown name is an error with file, line, column and
the allowed values, and exit code 2. ` + "`cdphost config check [FILE]`" + ` tells all mistakes at once.

- **Where it is looked for**: ` + "`--config FILE`" + `, then ` + "`./config.yaml`" + `, then ` + "`cdphost/config.yaml`" + ` in the user's
  configuration folder, then the one built into the program.
- **Defaults**: what a file leaves out, or gives no value, has its default. The maps ` + "`plugins`, `toolsets`" + ` and
  ` + "`gates`" + ` merge by name; ` + "`name: null`" + ` takes one out. A list replaces the default list. A plugin's own
  ` + "`config`" + ` is replaced as a whole, and falls away when the entry becomes another plugin.
- **Environment**: ` + "`${NAME}`" + ` in a string value is replaced; a variable that is not set gives nothing, and the
  part that needs the value says so. ` + "`$${NAME}`" + ` stays as ` + "`${NAME}`" + `. Keys and numbers are never replaced.
- **Secrets**: never printed. Give them as ` + "`${NAME}`" + `, or in a file of their own: each has a key ` + "`..._file`" + ` beside
  it. The file's text is taken without surrounding blanks, and read again when it changes.
- **Paths** are relative to the folder of the file.
- **Reloading**: a changed file is checked as a whole first; an invalid one changes nothing.
`

// Render returns the Markdown text. source holds the Go files of package config,
// whose comments describe the keys.
func Render(source fs.FS) (string, error) {
	comments, err := fieldComments(source)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(head)
	for _, k := range config.Keys() {
		comment, ok := comments[k.Struct+"."+k.Field]
		if !ok {
			return "", fmt.Errorf("%s: the field %s.%s has no comment", k.Path, k.Struct, k.Field)
		}
		writeKey(&b, k, comment)
	}
	return b.String(), nil
}

func writeKey(b *strings.Builder, k config.Key, comment string) {
	if !strings.Contains(k.Path, ".") {
		fmt.Fprintf(b, "\n## %s\n\n%s\n", k.Path, comment)
		return
	}
	fmt.Fprintf(b, "\n### `%s`\n\n%s\n\n- type: %s\n", k.Path, comment, k.Type)
	if k.Default != "" {
		fmt.Fprintf(b, "- default: `%s`\n", k.Default)
	}
	if len(k.Allowed) > 0 {
		values := make([]string, len(k.Allowed))
		for i, v := range k.Allowed {
			if v == "" {
				v = `""`
			}
			values[i] = "`" + v + "`"
		}
		fmt.Fprintf(b, "- allowed: %s\n", strings.Join(values, ", "))
	}
	if k.Form != "" {
		fmt.Fprintf(b, "- form: %s\n", k.Form)
	}
	if k.Range != "" {
		fmt.Fprintf(b, "- allowed: %s\n", k.Range)
	}
}

// fieldComments maps Type.Field to the field's comment in one paragraph.
func fieldComments(source fs.FS) (map[string]string, error) {
	files, err := fs.Glob(source, "*.go")
	if err != nil {
		return nil, err
	}
	comments := map[string]string{}
	for _, name := range files {
		text, err := fs.ReadFile(source, name)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok {
				collect(spec, comments)
			}
			return true
		})
	}
	return comments, nil
}

func collect(spec *ast.TypeSpec, comments map[string]string) {
	structure, ok := spec.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, f := range structure.Fields.List {
		if text := f.Doc.Text(); text != "" {
			for _, name := range f.Names {
				comments[spec.Name.Name+"."+name.Name] = strings.Join(strings.Fields(text), " ")
			}
		}
	}
}
