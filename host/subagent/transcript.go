package subagent

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/hashicorp/go-hclog"
)

// Transcripts records runs in a folder, a file of JSON lines each. It is
// immutable; a nil one records nothing.
type Transcripts struct {
	dir    string
	redact func(string) string
}

// NewTranscripts makes the folder, readable by its owner alone. redact takes
// secrets out of every text that is written; nil leaves them.
func NewTranscripts(dir string, redact func(string) string) (*Transcripts, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("the folder for transcripts: %w", err)
	}
	if redact == nil {
		redact = func(s string) string { return s }
	}
	return &Transcripts{dir: dir, redact: redact}, nil
}

// transcript is the file of one run. A nil one records nothing.
type transcript struct {
	file   *os.File
	redact func(string) string
	logger hclog.Logger
	broken bool
}

var unfit = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// fileWord is a task's id as part of a file's name.
func fileWord(task string) string {
	word := unfit.ReplaceAllString(task, "_")
	return word[:min(len(word), 60)]
}

func (t *Transcripts) open(now time.Time, logger hclog.Logger, job *Job) *transcript {
	if t == nil {
		return nil
	}
	name := fmt.Sprintf("%s-%s-%s.jsonl", now.UTC().Format("20060102T150405Z"), fileWord(job.Task), newMark())
	f, err := os.OpenFile(filepath.Join(t.dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		logger.Warn("a transcript could not be begun", "error", err)
		return nil
	}
	log := &transcript{file: f, redact: t.redact, logger: logger}
	log.write("start", map[string]any{
		"task": job.Task, "description": job.Description, "prompt": job.Prompt, "model": job.Model.Name(),
		"max_actions": job.Budget.Actions, "max_tokens": job.Budget.Tokens, "max_seconds": job.Budget.Time.Seconds(),
	})
	return log
}

func (t *transcript) close() {
	if t != nil {
		_ = t.file.Close() // every line was written, or told to have failed
	}
}

func (t *transcript) reply(r *Reply) {
	t.write("reply", map[string]any{"text": r.Message.Text, "calls": r.Message.Calls, "usage": r.Usage, "stop": r.Stop})
}

func (t *transcript) retry(tries int, wait time.Duration, err *ModelError) {
	t.write("retry", map[string]any{"try": tries, "wait_ms": wait.Milliseconds(), "error": err.Fault})
}

func (t *transcript) refused(call, text string) {
	t.write("refused", map[string]any{"call": call, "error": text})
}

func (t *transcript) action(name string, args json.RawMessage, out *Output) {
	pictures := []map[string]any{}
	for _, i := range out.Images {
		pictures = append(pictures, map[string]any{"mime_type": i.MIME, "bytes": len(i.Data)})
	}
	t.write("action", map[string]any{"tool": name, "arguments": args, "failed": out.Failed, "reply": out.Reply, "images": pictures})
}

func (t *transcript) look(out *Output) {
	t.write("look", map[string]any{"failed": out.Failed, "reply": out.Reply})
}

func (t *transcript) end(r *Result) {
	t.write("end", map[string]any{
		"status": r.Status, "summary": r.Summary, "artifacts": r.Artifacts, "dialogs": r.Dialogs,
		"error": r.Error, "actions": r.Actions, "usage": r.Usage,
	})
}

// write appends a line. A failure is logged once and never stops the run.
func (t *transcript) write(event string, fields map[string]any) {
	if t == nil || t.broken {
		return
	}
	fields["event"] = event
	fields["time"] = time.Now().UTC().Format(time.RFC3339Nano)
	data, err := json.Marshal(fields)
	if err == nil {
		var v any
		if err = json.Unmarshal(data, &v); err == nil {
			if data, err = json.Marshal(t.clean(v)); err == nil {
				_, err = t.file.Write(append(data, '\n'))
			}
		}
	}
	if err != nil {
		t.broken = true
		t.logger.Warn("a transcript was cut", "error", err)
	}
}

// clean redacts every text in v, names of fields included. Arguments and
// replies that are JSON inside a text are taken apart for it.
func (t *transcript) clean(v any) any {
	switch v := v.(type) {
	case string:
		return t.redact(v)
	case []any:
		for i := range v {
			v[i] = t.clean(v[i])
		}
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[t.redact(k)] = t.clean(e)
		}
		return out
	}
	return v
}
