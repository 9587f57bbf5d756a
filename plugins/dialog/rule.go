package dialog

import (
	"errors"
	"fmt"
	"regexp"
	"time"

	"cdphost/sdk"
)

// Rule decides about the dialogs that all of its conditions match. A condition
// that is left out matches everything.
type Rule struct {
	// Type is alert, confirm, prompt or beforeunload.
	Type string `json:"type,omitempty"`
	// Origin is that of the frame that raised the dialog: "https://example.com",
	// with "*." before the host for it and all its subdomains, or "null".
	Origin string `json:"origin,omitempty"`
	// Frame is top, same_process or oopif.
	Frame string `json:"frame,omitempty"`
	// Message is an RE2 expression found anywhere in the dialog's message.
	Message *regexp.Regexp `json:"message,omitempty"`
	// Do is hold, accept, dismiss or ask.
	Do string `json:"do"`
	// Text is for an accepted prompt; left out means the page's default.
	Text *string `json:"text,omitempty"`
	// TimeoutS is how long hold and ask wait, in seconds; left out means
	// browser.dialog_timeout_s.
	TimeoutS *float64 `json:"timeout_s,omitempty"`
}

// maxTimeoutS keeps a timeout within time.Duration, and within reason.
const maxTimeoutS = 7 * 24 * 3600

func (r *Rule) validate(path string) error {
	var errs []error
	oneOf := func(key, value string, allowed ...string) {
		errs = append(errs, sdk.OneOf(path+"."+key, value, allowed...))
	}
	fail := func(key, format string, args ...any) {
		errs = append(errs, &sdk.ConfigError{Path: path + "." + key, Message: fmt.Sprintf(format, args...)})
	}
	if r.Type != "" {
		oneOf("type", r.Type, "alert", "confirm", "prompt", "beforeunload")
	}
	if r.Frame != "" {
		oneOf("frame", r.Frame, "top", "same_process", "oopif")
	}
	if r.Origin != "" {
		if _, err := parsePattern(r.Origin); err != nil {
			fail("origin", "%v", err)
		}
	}
	oneOf("do", r.Do, "hold", "accept", "dismiss", "ask")
	if r.Text != nil && r.Do != "accept" {
		fail("text", "is only for do: accept")
	}
	if t := r.TimeoutS; t != nil {
		switch {
		case r.Do != "hold" && r.Do != "ask":
			fail("timeout_s", "is only for do: hold and do: ask")
		case !(*t > 0 && *t <= maxTimeoutS):
			fail("timeout_s", "is %v, but must be more than 0 and at most %d", *t, maxTimeoutS)
		}
	}
	return errors.Join(errs...)
}

func (r *Rule) matches(req sdk.DialogRequest) bool {
	if r.Type != "" && r.Type != string(req.Dialog.Type) {
		return false
	}
	if r.Frame != "" && r.Frame != string(req.FrameKind) {
		return false
	}
	if r.Message != nil && !r.Message.MatchString(req.Dialog.Message) {
		return false
	}
	if r.Origin != "" {
		p, err := parsePattern(r.Origin)
		if err != nil || !p.matches(req.Dialog.URL) {
			return false
		}
	}
	return true
}

func (r *Rule) verdict(index int) sdk.Verdict {
	v := sdk.Verdict{Do: sdk.Action(r.Do), Text: r.Text, Reason: fmt.Sprintf("rules[%d]", index)}
	if r.TimeoutS != nil {
		v.Timeout = time.Duration(*r.TimeoutS * float64(time.Second))
	}
	return v
}
