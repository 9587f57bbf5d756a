package subagent

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"cdphost/sdk/fault"
)

// carryOut has the toolbox do a call and writes down what came of it.
func (s *step) carryOut(ctx context.Context, id, name string, args json.RawMessage) *Result {
	said := line(name, args)
	s.meter.actions++
	s.job.report(s.meter.actions, said)
	out, err := s.box.Call(ctx, name, args)
	if ctx.Err() != nil {
		s.steps = append(s.steps, fmt.Sprintf("%d. %s: interrupted", s.meter.actions, said))
		return s.ended()
	}
	if err != nil {
		return s.failed(err)
	}
	s.log.action(name, args, out)
	s.print.call(name, args, out)

	var in struct {
		Type   string `json:"type"`
		Cursor string `json:"cursor"`
	}
	_ = json.Unmarshal(args, &in) // browser_dialog has neither
	p := render(s.mark, out, in.Cursor != "")
	s.keepPictures(out, &p)
	s.note(&p, out)
	s.turn.results = append(s.turn.results, result{call: id, bad: out.Failed, piece: p})

	outcome, code := "ok", ""
	if out.Failed {
		var r reply
		_ = json.Unmarshal(out.Reply, &r) // without a code it is just an error
		code = r.code()
		outcome = "error " + code
		s.skip = "an earlier call of this answer failed"
	}
	did := fmt.Sprintf("%d. %s: %s", s.meter.actions, said, outcome)
	s.steps = append(s.steps, did)
	s.turn.line = strings.TrimPrefix(s.turn.line+"\n"+did, "\n")

	switch {
	case in.Type == "screenshot" || in.Type == "get_tabs" || in.Type == "extract" && out.Failed || saysAll[fault.Code(code)]:
	case in.Type == "extract":
		s.read = true
	default:
		s.acted, s.read, s.tab = true, false, p.tab
		if in.Type == "close_tab" {
			s.tab = ""
		}
	}
	return nil
}

// saysAll are errors after which there is nothing more to see on the page: it
// can't be read, or nothing was done.
var saysAll = map[fault.Code]bool{
	fault.BlockedByDialog: true, fault.TabNotFound: true, fault.SessionNotFound: true, fault.BrowserGone: true,
	fault.NoSupervisor: true, fault.TaskNotFound: true,
	fault.InvalidAction: true, fault.InvalidArgument: true, fault.Denied: true,
}

// note remembers the page as last read.
func (r *run) note(p *piece, out *Output) {
	if p.kind != extract {
		return
	}
	var rep reply
	var e extracted
	if json.Unmarshal(out.Reply, &rep) == nil && json.Unmarshal(rep.Result, &e) == nil {
		r.page = &e
	}
}

// keepPictures stores what the tool pictured and tells the model the name, so
// that it can speak of it in its summary.
func (r *run) keepPictures(out *Output, p *piece) {
	for _, img := range out.Images {
		r.pictures++
		name := fmt.Sprintf("screenshot-%d.%s", r.pictures, strings.TrimPrefix(img.MIME, "image/"))
		if r.keep(name, img.MIME, "Screenshot of "+clip(r.box.Page().URL, maxLine), img.Data) {
			p.full += "\nThe caller gets it as " + name + "."
			p.short += "\nThe caller gets it as " + name + "."
		}
	}
}

// look extracts a page for the model to see what its actions led to; "" is the
// current one. It costs no action.
func (r *run) look(ctx context.Context, tab string) *piece {
	ask := map[string]string{"type": "extract"}
	if tab != "" {
		ask["tabId"] = tab
	}
	args, err := json.Marshal(ask)
	if err != nil {
		return nil
	}
	out, err := r.box.Call(ctx, ToolBrowser, args)
	if err != nil || ctx.Err() != nil {
		return nil
	}
	r.log.look(out)
	p := render(r.mark, out, false)
	r.note(&p, out)
	return &p
}
