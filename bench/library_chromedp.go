package main

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// chromedpLibrary drives github.com/chromedp/chromedp.
type chromedpLibrary struct {
	dialogs
	ctx     context.Context
	mu      sync.Mutex
	asked   context.Context               // the tab whose dialog is open
	iframes map[target.ID]context.Context // what ends such a context closes the page
}

func newChromedp(chrome string) (library, func(), error) {
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chrome))
	if asRoot() {
		opts = append(opts, chromedp.NoSandbox)
	}
	alloc, stopAlloc := chromedp.NewExecAllocator(context.Background(), opts...)
	ctx, stop := chromedp.NewContext(alloc)
	l := &chromedpLibrary{ctx: ctx, iframes: map[target.ID]context.Context{}}
	end := func() { stop(); stopAlloc() }
	if err := l.watch(ctx); err != nil {
		end()
		return nil, nil, err
	}
	err := chromedp.ListenBrowser(ctx, func(ev any) {
		if e, ok := ev.(*target.EventTargetCreated); ok && e.TargetInfo.OpenerID != "" && e.TargetInfo.Type == "page" {
			go func() {
				popup, _ := chromedp.NewContext(ctx, chromedp.WithTargetID(e.TargetInfo.TargetID))
				_ = l.watch(popup)
			}()
		}
	})
	if err == nil {
		_, err = chromedp.CallBrowser(ctx, target.SetDiscoverTargets, target.SetDiscoverTargetsParams{Discover: true})
	}
	if err != nil {
		end()
		return nil, nil, err
	}
	return l, end, nil
}

func (l *chromedpLibrary) watch(tab context.Context) error {
	return chromedp.Listen(tab, func(ev any) {
		if e, ok := ev.(*page.EventJavascriptDialogOpening); ok {
			l.mu.Lock()
			l.asked = tab
			l.mu.Unlock()
			if l.opened(e.Message) {
				go l.accept() //nolint:errcheck // the page shows it
			}
		}
	})
}

func (l *chromedpLibrary) accept() error {
	l.mu.Lock()
	tab := l.asked
	l.mu.Unlock()
	if tab == nil {
		return errors.New("no dialog")
	}
	_, err := call(tab, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true})
	return err
}

// call sends one command to a tab.
func call[P, R any](tab context.Context, command cdp.Command[P, R], params P) (R, error) {
	return chromedp.Run(tab, chromedp.Action[R](func(ctx context.Context, t *chromedp.Target) (R, error) {
		return cdp.Call(ctx, t, command, params)
	}))
}

func (l *chromedpLibrary) navigate(url string) error {
	return chromedp.Do(l.ctx, chromedp.Navigate(url))
}

func (l *chromedpLibrary) evaluate(expression string) (string, error) {
	return chromedpEvaluate(l.ctx, expression)
}

func chromedpEvaluate(tab context.Context, expression string) (string, error) {
	v, err := chromedp.Run(tab, chromedp.Evaluate[any](expression, chromedp.EvalAwaitPromise))
	return printed(v), err
}

func (l *chromedpLibrary) frame(expression string) (string, error) {
	infos, err := chromedp.Targets(l.ctx)
	if err != nil {
		return "", err
	}
	for _, info := range infos {
		if info.Type == "iframe" {
			return chromedpEvaluate(l.iframe(info.TargetID), expression)
		}
	}
	return "", errors.New("no iframe target")
}

func (l *chromedpLibrary) iframe(id target.ID) context.Context {
	ctx, ok := l.iframes[id]
	if !ok {
		ctx, _ = chromedp.NewContext(l.ctx, chromedp.WithTargetID(id))
		l.iframes[id] = ctx //nolint:fatcontext // one for each iframe
	}
	return ctx
}

func (l *chromedpLibrary) act(action string) error {
	switch action {
	case "click":
		return chromedp.Do(l.ctx, chromedp.Click(chromedp.CSS("#b")))
	case "press_key":
		return chromedp.Do(l.ctx, chromedp.KeyEvent("a"))
	}
	return errNotOffered
}

func (l *chromedpLibrary) snapshot() (string, error) {
	tree, err := call(l.ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	if err != nil {
		return "", err
	}
	data, err := json.Marshal(tree)
	return string(data), err
}

func (l *chromedpLibrary) another(url string) error {
	ctx, _ := chromedp.NewContext(l.ctx, chromedp.WithNewBrowserContext())
	return chromedp.Do(ctx, chromedp.Navigate(url))
}
