package config

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"cdphost"
)

// BuiltinName stands in positions for the configuration that is built into the
// program.
const BuiltinName = "built-in config.yaml"

// Loader finds and reads configurations. The zero value uses the process's
// environment and folders; it is safe for concurrent use.
type Loader struct {
	// LookupEnv stands in for os.LookupEnv.
	LookupEnv func(string) (string, bool)
	// WorkDir stands in for the working directory.
	WorkDir string
	// UserDir stands in for os.UserConfigDir.
	UserDir string
}

// Load reads the configuration in file or, when that is "", in ./config.yaml,
// else in cdphost/config.yaml of the user's configuration folder, else the
// built-in one. The error is an ErrorList with every mistake of the file;
// errors.Is with fault.ConfigInvalid holds for it.
func Load(file string) (*Config, error) { return Loader{}.Load(file) }

// Defaults returns the built-in configuration as it is in an empty environment.
func Defaults() *Config {
	c, err := Loader{LookupEnv: func(string) (string, bool) { return "", false }}.Parse("", nil)
	if err != nil {
		panic("config: the built-in configuration is invalid: " + err.Error())
	}
	return c
}

// Load is the function Load with l's environment.
func (l Loader) Load(file string) (*Config, error) {
	c, _, err := l.load(l.Find(file))
	return c, err
}

// load reads file, or the built-in configuration when that is "".
func (l Loader) load(file string) (*Config, source, error) {
	if file == "" {
		return l.parse("", nil)
	}
	data, err := readBounded(l.absolute(file), maxFileBytes+1)
	if err != nil {
		from := source{files: []string{l.absolute(file)}}
		from.digest.add(nil, err)
		return nil, from, ErrorList{{Pos: Position{File: file}, Problem: "can't be read: " + reason(err)}}
	}
	return l.parse(file, data)
}

// Find returns the file that Load would read, and "" for the built-in
// configuration.
func (l Loader) Find(file string) string {
	if file != "" {
		return file
	}
	if here := "config.yaml"; exists(l.absolute(here)) {
		return here
	}
	dir := l.UserDir
	if dir == "" {
		var err error
		if dir, err = os.UserConfigDir(); err != nil {
			return ""
		}
	}
	if user := filepath.Join(dir, "cdphost", "config.yaml"); exists(user) {
		return user
	}
	return ""
}

// Parse reads a configuration from data; file names it in positions and is where
// relative paths start. Parse with no file and no data is the built-in one.
func (l Loader) Parse(file string, data []byte) (*Config, error) {
	c, _, err := l.parse(file, data)
	return c, err
}

// parse is Parse, and returns what was read also when it is invalid.
func (l Loader) parse(file string, data []byte) (*Config, source, error) {
	lookup := l.LookupEnv
	if lookup == nil {
		lookup = os.LookupEnv
	}
	c := &Config{origin: origin{file: file, places: map[string]place{}}}
	off, _ := lookup(SubagentEnv)
	c.origin.subagentOff = strings.EqualFold(strings.TrimSpace(off), "false")

	d := &decoder{file: BuiltinName, lookup: lookup, config: c, unset: map[string]UnsetEnv{}, failed: map[string]bool{}}
	d.read(cdphost.DefaultConfig)
	base := c.Plugins
	c.origin.version = "built-in"
	if file != "" {
		absolute := l.absolute(file)
		d.file, d.dir, d.files = file, filepath.Dir(absolute), []string{absolute}
		d.digest.add(data, nil)
		c.origin.version = d.digest.String()
		d.read(data)
	}
	d.finish(base)
	c.origin.unset, c.origin.source = d.unset, source{files: d.files, digest: d.digest, empty: file != "" && len(bytes.TrimSpace(data)) == 0}
	if err := d.errs.err(); err != nil {
		return nil, c.origin.source, err
	}
	return c, c.origin.source, nil
}

// read lays the YAML text data over the configuration.
func (d *decoder) read(data []byte) {
	d.places = map[string]place{}
	d.typed, d.trees = maxNodes, maxNodes
	d.budget = &d.typed
	root, err := parseYAML(d.file, data)
	if err != nil {
		d.add(err)
		return
	}
	if root != nil {
		d.document(root)
	}
}

func (l Loader) absolute(file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	if l.WorkDir != "" {
		return filepath.Join(l.WorkDir, file)
	}
	if abs, err := filepath.Abs(file); err == nil {
		return abs
	}
	return file
}

func exists(file string) bool {
	info, err := os.Stat(file)
	return err == nil && !info.IsDir()
}

// reason is an error's text without the path, which the reader knows already or
// must not see.
func reason(err error) string {
	var pathErr *fs.PathError
	if errors.Is(err, fs.ErrNotExist) {
		return "there is no such file"
	}
	if errors.Is(err, fs.ErrPermission) {
		return "permission denied"
	}
	if errors.As(err, &pathErr) {
		return pathErr.Err.Error()
	}
	return err.Error()
}
