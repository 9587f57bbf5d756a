package main

import (
	"errors"
	"fmt"
	"os"
	"sync"
)

// library is what the benchmark asks of a Go library.
type library interface {
	navigate(url string) error
	evaluate(expression string) (string, error)
	frame(expression string) (string, error)
	act(action string) error
	snapshot() (string, error)
	accept() error
	another(url string) error
	state() *dialogs
}

// errNotOffered is an action that a library leaves to its user.
var errNotOffered = errors.New("not offered")

// dialogs keeps what a user of a library has to: the dialog that is open, and
// whether the user answers by itself.
type dialogs struct {
	lock      sync.Mutex
	automatic bool
	message   string
	wake      chan struct{}
}

func (d *dialogs) state() *dialogs { return d }

// opened notes a dialog and returns whether it is to be answered at once.
func (d *dialogs) opened(message string) bool {
	d.lock.Lock()
	defer d.lock.Unlock()
	if d.automatic {
		return true
	}
	d.message = message
	if d.wake != nil {
		close(d.wake)
		d.wake = nil
	}
	return false
}

func (d *dialogs) open() string {
	d.lock.Lock()
	defer d.lock.Unlock()
	return d.message
}

// unlessDialog does something and ends as soon as a dialog opens meanwhile.
func (d *dialogs) unlessDialog(do func() (string, error)) (string, error) {
	d.lock.Lock()
	wake := make(chan struct{})
	d.wake = wake
	d.lock.Unlock()
	type end struct {
		text string
		err  error
	}
	done := make(chan end, 1)
	go func() {
		text, err := do()
		done <- end{text, err}
	}()
	select {
	case e := <-done:
		return e.text, e.err
	case <-wake:
		return "", fmt.Errorf("a dialog opened: %s", d.open())
	}
}

// serveLibrary is the program of a Go library: `bench library NAME CHROME`.
func serveLibrary(name, chrome string) error {
	start, ok := map[string]func(string) (library, func(), error){"chromedp": newChromedp, "rod": newRod}[name]
	if !ok {
		return fmt.Errorf("no library %q", name)
	}
	l, stop, err := start(chrome)
	if err != nil {
		return err
	}
	defer stop()
	d := l.state()
	return lines(func(method string, params map[string]any) (string, error) {
		text := func(key string) string { s, _ := params[key].(string); return s }
		switch method {
		case "start":
			return "", nil
		case "policy":
			d.lock.Lock()
			d.automatic = true
			d.lock.Unlock()
			return "", nil
		case "accept":
			d.lock.Lock()
			d.message = ""
			d.lock.Unlock()
			return "", l.accept()
		case "snapshot":
			if m := d.open(); m != "" {
				return "a dialog is open: " + m, nil
			}
		}
		return d.unlessDialog(func() (string, error) {
			switch method {
			case "navigate":
				return "", l.navigate(text("url"))
			case "evaluate":
				return l.evaluate(text("expression"))
			case "frame":
				return l.frame(text("expression"))
			case "snapshot":
				return l.snapshot()
			case "another":
				return "", l.another(text("url"))
			}
			return "", l.act(method)
		})
	})
}

func asRoot() bool { return os.Geteuid() == 0 }

func printed(v any) string { return fmt.Sprint(v) }
