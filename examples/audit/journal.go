package main

import (
	"bytes"
	"encoding/json"
	"os"
)

// journal appends lines to a file. Each batch is one write, so that two processes
// on one file, as during a swap, do not mix their lines.
type journal struct {
	file *os.File
	buf  bytes.Buffer
}

func open(name string) (*journal, error) {
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	return &journal{file: f}, nil
}

// add puts a line into the next batch.
func (j *journal) add(line any) error { return json.NewEncoder(&j.buf).Encode(line) }

// write writes the batch.
func (j *journal) write() error {
	defer j.buf.Reset()
	_, err := j.file.Write(j.buf.Bytes())
	return err
}

func (j *journal) close() error {
	if err := j.file.Sync(); err != nil {
		_ = j.file.Close()
		return err
	}
	return j.file.Close()
}
