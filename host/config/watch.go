package config

import (
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/hashicorp/go-hclog"
)

// defaultQuiet is long enough for an editor to finish its write, and short
// enough that an operator sees the effect as immediate.
const defaultQuiet = 100 * time.Millisecond

// WatchOptions are the knobs of Watch; the zero value is right for programs.
type WatchOptions struct {
	// Loader reads the file again.
	Loader Loader
	// Quiet is the time between an event and a look at the file, and between the
	// two looks that must agree; 100 ms when 0.
	Quiet time.Duration
	// Logger gets trouble with watching itself; nil logs nothing.
	Logger hclog.Logger
}

// Watcher tells when the file of a Config, or a file with one of its secrets,
// has other contents. Its methods may be called at the same time.
type Watcher struct {
	file    string
	options WatchOptions
	changed func(*Config, error)
	notify  *fsnotify.Watcher
	watched watchSet
	files   []string
	applied digest // of what changed was last told
	seen    digest // at the last look
	stop    chan struct{}
	once    sync.Once
	done    chan struct{}
}

// Watch calls changed with each new configuration, or with the error of a file
// that is invalid, gone or empty, in which case nothing has changed. Calls come
// one after the other from one goroutine; the next waits for the last to return.
// A file is taken when two looks at it agree, so a half-written one is not seen.
// Editors that rename and symbolic links that turn (Kubernetes' mounted maps)
// are followed. The built-in configuration never changes. Callers must Close.
func Watch(current *Config, o WatchOptions, changed func(*Config, error)) (*Watcher, error) {
	if o.Quiet <= 0 {
		o.Quiet = defaultQuiet
	}
	if o.Logger == nil {
		o.Logger = hclog.NewNullLogger()
	}
	w := &Watcher{
		file: current.File(), options: o, changed: changed,
		files: current.Files(), applied: current.origin.source.digest,
		stop: make(chan struct{}), done: make(chan struct{}),
	}
	if w.file == "" {
		close(w.done)
		return w, nil
	}
	var err error
	if w.notify, err = fsnotify.NewWatcher(); err != nil {
		return nil, err
	}
	if _, err = w.watched.follow(w.notify, w.files); err != nil {
		_ = w.notify.Close()
		return nil, err
	}
	w.seen = w.applied
	go w.run()
	return w, nil
}

// Close ends the watching and returns after the last call of changed. It must
// not be called from changed.
func (w *Watcher) Close() error {
	w.once.Do(func() { close(w.stop) })
	<-w.done
	if w.notify == nil {
		return nil
	}
	return w.notify.Close()
}

func (w *Watcher) run() {
	defer close(w.done)
	// The first look is for what changed between Load and Watch.
	look := time.NewTimer(0)
	defer look.Stop()
	due := true
	again := func() {
		if !due {
			due = true
			look.Reset(w.options.Quiet)
		}
	}
	for {
		select {
		case <-w.stop:
			return
		case event := <-w.notify.Events:
			if w.watched.concerns(event.Name) {
				again()
			}
		case err := <-w.notify.Errors:
			w.options.Logger.Warn("events of the configuration file were lost; looking at it", "error", err)
			again()
		case <-look.C:
			due = false
			if w.look() {
				again()
			}
		}
	}
}

// look reads the file and reports whether to look again soon.
func (w *Watcher) look() (again bool) {
	moved := w.follow()
	c, from, err := w.options.Loader.load(w.file)
	if len(from.files) > 0 {
		w.files = from.files
	}
	moved = w.follow() || moved
	switch {
	case from.digest != w.seen:
		w.seen = from.digest
		return true
	case from.digest == w.applied:
		return moved
	}
	w.applied = from.digest
	if err == nil && from.empty {
		c, err = nil, ErrorList{{Pos: Position{File: w.file}, Problem: "is empty; the configuration in use stays"}}
	}
	w.changed(c, err)
	return moved
}

func (w *Watcher) follow() (moved bool) {
	moved, err := w.watched.follow(w.notify, w.files)
	if err != nil {
		w.options.Logger.Warn("a folder of the configuration can't be watched", "error", err)
	}
	return moved
}
