package subagent

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"cdphost/sdk/fault"
)

// finish makes the result: what still blocks the task is added to the summary
// and kept with the artifacts.
func (r *run) finish(status Status, summary string) *Result {
	res := &Result{
		Status: status, Dialogs: r.box.Dialogs(), Actions: r.meter.actions, Usage: r.meter.usage,
	}
	var b strings.Builder
	b.WriteString(summary)
	for i := range res.Dialogs {
		d := &res.Dialogs[i]
		fmt.Fprintf(&b, "\n\n%s", d.sentence())
		if data, err := json.Marshal(d); err == nil {
			r.keep("dialog-"+d.ID+".json", "application/json", d.sentence(), data)
		}
	}
	if r.page != nil && r.meter.actions > 0 {
		text := fmt.Sprintf("# %s\n\n%s\n\n%s\n\n## Elements\n\n%s\n", r.page.Title, r.page.URL, r.page.Markdown, r.page.Elements)
		r.keep("page.md", "text/markdown", "The page as last read: "+clip(r.page.URL, maxLine), []byte(text))
	}
	res.Summary, res.Artifacts = b.String(), r.artifacts
	return res
}

func (d *Dialog) sentence() string {
	next := "Answer it with browser_dialog."
	if d.State == "orphaned" {
		next = "It can't be answered any more; reload or close the tab."
	}
	return fmt.Sprintf("Still open: the %s dialog %s on tab %s, which says %q. %s", d.Type, d.ID, d.TabID, clip(d.Message, 200), next)
}

// failed ends the run for a reason that is not the work's.
func (r *run) failed(err error) *Result {
	f, ok := errors.AsType[*fault.Error](err)
	if !ok {
		f = fault.Wrap(err, fault.InternalError, "The subagent failed; the log has the details.")
	}
	r.agent.opts.Logger.Warn("a subagent failed", "task", r.job.Task, "model", r.job.Model.Name(), "error", err)
	res := r.stopped(Failed, f.Message)
	res.Error = f
	return res
}

// shownSteps is how many steps a summary of the host's own lists.
const shownSteps = 10

// stopped ends the run with a summary of the host's own, for a model that did
// not come to write one.
func (r *run) stopped(status Status, why string) *Result {
	var b strings.Builder
	fmt.Fprintf(&b, "Stopped after %d actions: %s", r.meter.actions, strings.TrimSuffix(why, "."))
	b.WriteString(".")
	if p := r.box.Page(); !p.blank() {
		fmt.Fprintf(&b, " The page is %s (%s).", clip(p.URL, 500), clip(p.Title, 200))
	}
	if n := len(r.steps); n > 0 {
		b.WriteString("\nLast steps:")
		for _, s := range r.steps[max(n-shownSteps, 0):] {
			b.WriteString("\n" + s)
		}
	}
	if r.noted != "" {
		fmt.Fprintf(&b, "\nIt last noted: %s", clip(r.noted, 2000))
	}
	return r.finish(status, b.String())
}

// maxArtifacts bounds what one run keeps.
const maxArtifacts = 50

// keep puts data among the run's artifacts and reports whether it is there.
func (r *run) keep(name, mime, description string, data []byte) bool {
	if r.job.Keep == nil || len(r.artifacts) >= maxArtifacts {
		return false
	}
	a, err := r.job.Keep(name, mime, description, data)
	if err != nil {
		r.agent.opts.Logger.Debug("an artifact was not kept", "name", name, "error", err)
		return false
	}
	r.artifacts = append(r.artifacts, a)
	return true
}
