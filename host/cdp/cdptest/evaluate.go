package cdptest

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
)

// callForm matches the calls that the mock's JavaScript knows.
var callForm = regexp.MustCompile(`^(?:void )?(?:window\.)?(alert|confirm|prompt|open|console\.error|console\.log)\((.*)\)$`)

// iframeForm matches what the mock's JavaScript can do to the first iframe of a document.
var iframeForm = regexp.MustCompile(`^document\.querySelector\('iframe'\)\.(?:(remove)\(\)|src ?= ?(.*))$`)

// evaluate runs an expression in the frame and calls done with the result of Runtime.evaluate, later
// if a dialog comes first. It understands literals, document.title, location.href, calls with literal
// arguments of alert, confirm, prompt, window.open, console.log and console.error, and
// document.querySelector('iframe') followed by .remove() or .src = '...'; any other expression is
// undefined.
func (f *Frame) evaluate(expression string, done func(Reply)) {
	expression = strings.TrimSuffix(strings.TrimSpace(expression), ";")
	if m := callForm.FindStringSubmatch(expression); m != nil {
		f.call(m[1], arguments(m[2]), done)
		return
	}
	if m := iframeForm.FindStringSubmatch(expression); m != nil {
		f.changeIframe(m[1] != "", literal(m[2]), done)
		return
	}
	switch expression {
	case "document.title":
		done(value(f.page().title))
	case "location.href":
		done(value(f.url))
	default:
		done(value(literal(expression)))
	}
}

// call runs one of the functions of callForm.
func (f *Frame) call(name string, args []any, done func(Reply)) {
	text := func(i int) string {
		if i >= len(args) {
			return ""
		}
		if s, ok := args[i].(string); ok {
			return s
		}
		return string(mustJSON(args[i]))
	}
	switch name {
	case "alert", "confirm", "prompt":
		d := &dialog{frame: f, kind: name, message: text(0)}
		if name == "prompt" {
			d.preset = text(1)
		}
		d.after = func(accepted bool, input string) { done(value(outcome(name, accepted, input))) }
		d.open()
	case "open":
		f.windowOpen(text(0), text(2), func() { done(value(nil)) })
	default:
		f.console(strings.TrimPrefix(name, "console."), args)
		done(value(nil))
	}
}

// changeIframe removes the frame's first child, or takes it to a URL.
func (f *Frame) changeIframe(remove bool, url any, done func(Reply)) {
	if len(f.children) > 0 {
		child := f.children[0]
		if to, ok := url.(string); ok && !remove {
			child.navigate(to)
		} else {
			child.remove()
		}
	}
	done(value(url))
}

// outcome returns what a dialog function returns to the page.
func outcome(kind string, accepted bool, input string) any {
	switch {
	case kind == "confirm":
		return accepted
	case kind == "prompt" && accepted:
		return input
	case kind == "prompt":
		return json.RawMessage("null")
	default:
		return nil
	}
}

// console sends what a console call sends.
func (f *Frame) console(kind string, args []any) {
	objects := make([]M, len(args))
	for i, arg := range args {
		objects[i] = remoteObject(arg)
	}
	f.target.emit("Runtime.consoleAPICalled", M{
		"type": kind, "args": objects, "executionContextId": f.contextID, "timestamp": timestamp() * 1000,
		"stackTrace": M{"callFrames": []M{{
			"functionName": "", "scriptId": "4", "url": f.url, "lineNumber": 0, "columnNumber": 8,
		}}},
	})
}

// value returns the reply of an evaluation. nil stands for undefined.
func value(v any) Reply { return Result(M{"result": remoteObject(v)}) }

// remoteObject returns what Chrome calls Runtime.RemoteObject.
func remoteObject(v any) M {
	switch v := v.(type) {
	case nil:
		return M{"type": "undefined"}
	case bool:
		return M{"type": "boolean", "value": v}
	case float64:
		return M{"type": "number", "value": v, "description": strconv.FormatFloat(v, 'g', -1, 64)}
	case string:
		return M{"type": "string", "value": v}
	default:
		return M{"type": "object", "subtype": "null", "value": nil}
	}
}

// literal returns the value of a JavaScript literal: a string, float64 or bool, else nil.
func literal(expression string) any {
	expression = strings.TrimSpace(expression)
	if n := len(expression); n >= 2 && expression[0] == '\'' && expression[n-1] == '\'' {
		return expression[1 : n-1]
	}
	var v any
	if json.Unmarshal([]byte(expression), &v) != nil {
		return nil
	}
	switch v.(type) {
	case string, float64, bool:
		return v
	}
	return nil
}

// arguments splits a list of literals.
func arguments(list string) []any {
	if strings.TrimSpace(list) == "" {
		return nil
	}
	var args []any
	var quote byte
	start := 0
	for i := range len(list) {
		switch c := list[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == ',':
			args = append(args, literal(list[start:i]))
			start = i + 1
		}
	}
	return append(args, literal(list[start:]))
}
