package scaffold

import (
	"bytes"
	"embed"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"cdphost/sdk/fault"
)

//go:embed templates
var templates embed.FS

// Options say what is written.
type Options struct {
	// Name is the plugin's name, its program's, and its entry's in config.yaml.
	Name string
	// Hook is one of Hooks.
	Hook string
	// Dir is the module's folder; it is made, or empty.
	Dir string
	// SDK is the folder of a checkout of the SDK to use; "" means that Source is
	// written into Dir.
	SDK string
	// Source is the SDK's source.
	Source fs.FS
	// Reserved are names that mean something else in config.yaml.
	Reserved []string
}

// sdkFolder is where the SDK's source goes in the module's folder. It is a module
// of its own, so it is no part of the plugin's packages.
const sdkFolder = "cdphost-sdk"

// data is what the templates see.
type data struct {
	Name, Does, Hook, Entry, Tool, Module, SDK string
	Grants, Config, Uses, About                string
	Go                                         string
	Requires                                   []string
}

var validName = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// maxName keeps a name within that of a tool and of an entry in config.yaml.
const maxName = 40

// Write writes the module. The mistakes of a caller are fault.InvalidArgument.
func Write(o Options) error {
	if err := o.check(); err != nil {
		return err
	}
	d, sums, err := o.data()
	if err != nil {
		return err
	}
	files, err := render(o.Hook, d)
	if err != nil {
		return err
	}
	files["go.sum"] = sums
	if o.SDK == "" {
		if err := addSource(files, o.Source); err != nil {
			return err
		}
	}
	return write(o.Dir, files)
}

func (o *Options) check() error {
	switch {
	case !validName.MatchString(o.Name) || len(o.Name) > maxName:
		return fault.New(fault.InvalidArgument, "%q is no name for a plugin: use words of a-z and 0-9 joined by -, at most %d characters, as in my-guard", o.Name, maxName)
	case slices.Contains(o.Reserved, o.Name):
		return fault.New(fault.InvalidArgument, "%q is the name of a built-in plugin; take another", o.Name)
	}
	if _, ok := hooks[o.Hook]; !ok {
		return fault.New(fault.InvalidArgument, "there is no hook %q; there are: %s", o.Hook, strings.Join(Hooks(), ", "))
	}
	switch entries, err := os.ReadDir(o.Dir); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return fault.Wrap(err, fault.InvalidArgument, "%s can't be used: %v", o.Dir, err)
	case len(entries) > 0:
		return fault.New(fault.InvalidArgument, "%s is not empty; name a folder that is new or empty with --dir", o.Dir)
	}
	return nil
}

// data returns what the templates see and the module's go.sum.
func (o *Options) data() (*data, []byte, error) {
	source, replace := o.Source, "./"+sdkFolder
	if o.SDK != "" {
		source = os.DirFS(o.SDK)
		var err error
		if replace, err = relative(o.Dir, o.SDK); err != nil {
			return nil, nil, err
		}
	}
	mod, err := fs.ReadFile(source, "go.mod")
	if err != nil || !bytes.HasPrefix(mod, []byte("module cdphost/sdk\n")) {
		return nil, nil, fault.New(fault.InvalidArgument, "%s is no folder of the SDK: it has no go.mod of the module cdphost/sdk", o.SDK)
	}
	sums, err := fs.ReadFile(source, "go.sum")
	if err != nil {
		return nil, nil, fault.Wrap(err, fault.InvalidArgument, "the SDK has no go.sum: %v", err)
	}
	h := hooks[o.Hook]
	d := &data{
		Name: o.Name, Does: h.does, Hook: o.Hook, Tool: strings.ReplaceAll(o.Name, "-", "_"), Module: "example.com/" + o.Name,
		SDK: replace, Grants: h.grants, Config: h.config, About: h.about,
	}
	if d.Entry = o.Name; h.entry != "" {
		d.Entry = h.entry
	}
	d.Go, d.Requires = requirements(string(mod))
	uses, err := execute(h.uses, d)
	d.Uses = string(uses)
	return d, sums, err
}

func render(hook string, d *data) (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, folder := range []string{"templates/common", "templates/" + hook} {
		entries, err := templates.ReadDir(folder)
		if err != nil {
			return nil, fault.Wrap(err, fault.InternalError, "no template: %v", err)
		}
		for _, e := range entries {
			text, err := templates.ReadFile(folder + "/" + e.Name())
			if err != nil {
				return nil, err
			}
			name := strings.TrimSuffix(e.Name(), ".tmpl")
			if name == "gitignore" {
				name = ".gitignore"
			}
			if files[name], err = execute(string(text), d); err != nil {
				return nil, err
			}
		}
	}
	return files, nil
}

func execute(text string, d *data) ([]byte, error) {
	t, err := template.New("").Delims("«", "»").Parse(text)
	if err != nil {
		return nil, fault.Wrap(err, fault.InternalError, "a template is broken: %v", err)
	}
	var out bytes.Buffer
	if err := t.Execute(&out, d); err != nil {
		return nil, fault.Wrap(err, fault.InternalError, "a template is broken: %v", err)
	}
	return out.Bytes(), nil
}

// relative is the way from dir to the SDK as go.mod writes it.
func relative(dir, sdk string) (string, error) {
	from, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	to, err := filepath.Abs(sdk)
	if err != nil {
		return "", err
	}
	path, err := filepath.Rel(from, to)
	if err != nil {
		return quoted(filepath.ToSlash(to)), nil //nolint:nilerr // on another drive there is only the whole path
	}
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, ".") {
		path = "./" + path
	}
	return quoted(path), nil
}

// quoted is a path as go.mod takes it.
func quoted(path string) string {
	if strings.ContainsAny(path, " \"'`()[]{},") {
		return "`" + path + "`"
	}
	return path
}
