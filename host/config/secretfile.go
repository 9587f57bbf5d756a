package config

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

// maxSecretBytes bounds a file that holds a secret: keys and tokens are short,
// and a bigger file is some other file.
const maxSecretBytes = 64 << 10

// readSecrets fills each secret whose *_file key is set.
func (d *decoder) readSecrets() {
	d.secretsOf(reflect.ValueOf(d.config).Elem(), "")
}

func (d *decoder) secretsOf(v reflect.Value, path string) {
	for _, f := range fieldsOf(v.Type()) {
		child, at := v.Field(f.index), join(path, f.name)
		switch {
		case f.secret != "":
			d.secretFile(child.String(), secretField(v, f.secret), at, join(path, f.secret))
		case f.typ == secretType:
		case f.typ.Kind() == reflect.Struct:
			d.secretsOf(child, at)
		case f.typ.Kind() == reflect.Map && f.typ.Elem().Kind() == reflect.Struct:
			for _, name := range slices.Sorted(maps.Keys(keysOf(child))) {
				entry := reflect.New(f.typ.Elem()).Elem()
				entry.Set(child.MapIndex(reflect.ValueOf(name)))
				d.secretsOf(entry, join(at, name))
				child.SetMapIndex(reflect.ValueOf(name), entry)
			}
		}
	}
}

// secretFile reads the secret at path from file. Messages show neither the
// file's content nor its name, because a secret in the wrong key looks like one.
func (d *decoder) secretFile(file string, secret *Secret, fileKey, path string) {
	if u, unset := d.unset[fileKey]; unset && file == "" && secret.IsZero() {
		secret.missing = u.Name
	}
	if file == "" {
		return
	}
	if d.given(path) && d.given(fileKey) && !secret.IsZero() {
		d.failAt(fileKey, Error{Problem: "give this or " + path + ", not both"})
		return
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(d.dir, file)
	}
	d.files = append(d.files, file)
	data, err := readBounded(file, maxSecretBytes+1)
	d.digest.add(data, err)
	text := strings.TrimSpace(string(data))
	switch {
	case err != nil:
		d.failAt(fileKey, Error{Problem: "the file can't be read: " + reason(err)})
	case text == "":
		d.failAt(fileKey, Error{Problem: "the file is empty"})
	case strings.ContainsAny(text, "\r\n\x00"):
		d.failAt(fileKey, Error{Problem: "the file holds more than one line"})
	default:
		*secret = NewSecret(text)
		delete(d.unset, path)
	}
}

func secretField(v reflect.Value, key string) *Secret {
	for _, f := range fieldsOf(v.Type()) {
		if f.name == key {
			if s, ok := v.Field(f.index).Addr().Interface().(*Secret); ok {
				return s
			}
		}
	}
	panic("config: a struct tag names no secret: " + key)
}

func keysOf(m reflect.Value) map[string]bool {
	names := make(map[string]bool, m.Len())
	for _, k := range m.MapKeys() {
		names[k.String()] = true
	}
	return names
}

var errTooBig = errors.New("it is too big")

// readBounded reads a regular file of fewer than limit bytes.
func readBounded(file string, limit int64) ([]byte, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, errors.New("it is a folder")
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read
	data, err := io.ReadAll(io.LimitReader(f, limit))
	if err != nil {
		return nil, fmt.Errorf("reading it: %w", err)
	}
	if int64(len(data)) == limit {
		return nil, errTooBig
	}
	return data, nil
}
