package dialog

import (
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/page"
)

// lenient accepts what pages can put into strings, such as lone surrogates.
var lenient = jsonv2.AllowInvalidUTF8(true)

// ParseOpening decodes the params of Page.javascriptDialogOpening; what the event
// does not carry (target, tab, session, epoch) is the caller's to fill in.
func ParseOpening(params []byte) (Opened, error) {
	var ev page.EventJavascriptDialogOpening
	if err := jsonv2.Unmarshal(params, &ev, lenient); err != nil {
		return Opened{}, err
	}
	return Opened{
		Type:          Type(ev.Type),
		Message:       ev.Message,
		DefaultPrompt: ev.DefaultPrompt,
		URL:           ev.URL,
		FrameID:       string(ev.FrameID),
	}, nil
}

// ParseClosed decodes the params of Page.javascriptDialogClosed.
func ParseClosed(params []byte) (frameID string, result bool, userInput string, err error) {
	var ev page.EventJavascriptDialogClosed
	if err := jsonv2.Unmarshal(params, &ev, lenient); err != nil {
		return "", false, "", err
	}
	return string(ev.FrameID), ev.Result, ev.UserInput, nil
}
