package local

import (
	"context"
	"strings"

	"cdphost/sdk/fault"

	"github.com/chromedp/cdproto/target"
)

// adopt takes over the tab of a target id, or the one tab whose URL matches a
// pattern ("*" matches anything), and makes it current.
func (t *Task) adopt(ctx context.Context, want string) error {
	infos, err := t.sup.Targets(ctx)
	if err != nil {
		return err
	}
	match := matching(infos, want)
	switch len(match) {
	case 0:
		return fault.New(fault.TabNotFound, "no tab of the browser has the id or the URL %q; open are: %s", want, list(infos))
	case 1:
	default:
		return fault.New(fault.InvalidArgument, "%d tabs match %q; name one by its id: %s", len(match), want, list(match))
	}
	p, err := t.sup.Adopt(ctx, string(match[0].TargetID))
	if err != nil {
		return err
	}
	t.sup.SetCurrent(p.TabID)
	return nil
}

func matching(infos []*target.Info, want string) []*target.Info {
	var out []*target.Info
	for _, info := range infos {
		if string(info.TargetID) == want {
			return []*target.Info{info}
		}
		if matchURL(want, info.URL) {
			out = append(out, info)
		}
	}
	return out
}

// matchURL matches a URL against a pattern in which "*" stands for any text.
func matchURL(pattern, url string) bool {
	if !strings.Contains(pattern, "*") {
		return pattern == url || strings.TrimSuffix(pattern, "/") == strings.TrimSuffix(url, "/")
	}
	parts := strings.Split(pattern, "*")
	if !strings.HasPrefix(url, parts[0]) {
		return false
	}
	rest := url[len(parts[0]):]
	for _, part := range parts[1 : len(parts)-1] {
		i := strings.Index(rest, part)
		if i < 0 {
			return false
		}
		rest = rest[i+len(part):]
	}
	return strings.HasSuffix(rest, parts[len(parts)-1])
}

// list names tabs for an error. URLs lose query and fragment, which may hold
// secrets of the user's.
func list(infos []*target.Info) string {
	var b strings.Builder
	for i, info := range infos {
		if i == 10 {
			b.WriteString(", ...")
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		url, _, _ := strings.Cut(info.URL, "?")
		url, _, _ = strings.Cut(url, "#")
		b.WriteString(string(info.TargetID) + " (" + url + ")")
	}
	if b.Len() == 0 {
		return "none"
	}
	return b.String()
}
