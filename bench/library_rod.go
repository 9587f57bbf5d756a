package main

import (
	"encoding/json"
	"errors"
	"sync"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/launcher"
	"github.com/go-rod/rod/lib/proto"
)

// rodLibrary drives github.com/go-rod/rod.
type rodLibrary struct {
	dialogs
	browser *rod.Browser
	page    *rod.Page
	mu      sync.Mutex
	asked   *rod.Page // the page whose dialog is open
}

func newRod(chrome string) (library, func(), error) {
	start := launcher.New().Bin(chrome).Headless(true).Leakless(false).NoSandbox(asRoot())
	url, err := start.Launch()
	if err != nil {
		return nil, nil, err
	}
	stop := func() { start.Kill(); start.Cleanup() }
	browser := rod.New().ControlURL(url)
	if err := browser.Connect(); err != nil {
		stop()
		return nil, nil, err
	}
	l := &rodLibrary{browser: browser}
	if l.page, err = browser.Page(proto.TargetCreateTarget{}); err != nil {
		stop()
		return nil, nil, err
	}
	l.watch(l.page)
	go browser.EachEvent(func(e *proto.TargetTargetCreated) {
		if e.TargetInfo.OpenerID == "" || e.TargetInfo.Type != proto.TargetTargetInfoTypePage {
			return
		}
		go func() {
			if p, err := browser.PageFromTarget(e.TargetInfo.TargetID); err == nil {
				l.watch(p)
			}
		}()
	})()
	return l, stop, nil
}

func (l *rodLibrary) watch(p *rod.Page) {
	wait := p.EachEvent(func(e *proto.PageJavascriptDialogOpening) {
		l.mu.Lock()
		l.asked = p
		l.mu.Unlock()
		if l.opened(e.Message) {
			go l.accept() //nolint:errcheck // the page shows it
		}
	})
	go wait()
}

func (l *rodLibrary) accept() error {
	l.mu.Lock()
	p := l.asked
	l.mu.Unlock()
	if p == nil {
		return errors.New("no dialog")
	}
	return proto.PageHandleJavaScriptDialog{Accept: true}.Call(p)
}

func (l *rodLibrary) navigate(url string) error {
	if err := l.page.Navigate(url); err != nil {
		return err
	}
	return l.page.WaitLoad()
}

func (l *rodLibrary) evaluate(expression string) (string, error) {
	return rodEvaluate(l.page, expression)
}

func rodEvaluate(p *rod.Page, expression string) (string, error) {
	v, err := p.Evaluate(rod.Eval("() => " + expression).ByPromise())
	if err != nil {
		return "", err
	}
	return v.Value.String(), nil
}

func (l *rodLibrary) frame(expression string) (string, error) {
	e, err := l.page.Element("#f")
	if err != nil {
		return "", err
	}
	p, err := e.Frame()
	if err != nil {
		return "", err
	}
	return rodEvaluate(p, expression)
}

func (l *rodLibrary) act(action string) error {
	if action == "press_key" {
		return l.page.Keyboard.Type(input.KeyA)
	}
	e, err := l.page.Element("#b")
	if err != nil {
		return err
	}
	if action == "hover" {
		return e.Hover()
	}
	return e.Click(proto.InputMouseButtonLeft, 1)
}

func (l *rodLibrary) snapshot() (string, error) {
	tree, err := proto.AccessibilityGetFullAXTree{}.Call(l.page)
	if err != nil {
		return "", err
	}
	data, err := json.Marshal(tree.Nodes)
	return string(data), err
}

func (l *rodLibrary) another(url string) error {
	own, err := l.browser.Incognito()
	if err != nil {
		return err
	}
	p, err := own.Page(proto.TargetCreateTarget{URL: url})
	if err != nil {
		return err
	}
	return p.WaitLoad()
}
