package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"cdphost/sdk/fault"
)

// redacted stands where a secret was.
const redacted = "[redacted]"

// secretShapes are texts that are secrets by their form: keys of well-known
// services, bearer tokens, JSON Web Tokens, private keys.
var secretShapes = regexp.MustCompile(strings.Join([]string{
	`\bsk-[A-Za-z0-9_-]{16,}`,
	`\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}`,
	`\bgh[pousr]_[A-Za-z0-9]{30,}`,
	`\bgithub_pat_[A-Za-z0-9_]{40,}`,
	`\bglpat-[A-Za-z0-9_-]{20,}`,
	`\bxox[abeprs]-[A-Za-z0-9-]{10,}`,
	`\b(?:AKIA|ASIA)[A-Z0-9]{16}\b`,
	`\bAIza[A-Za-z0-9_-]{35}`,
	`\bbb_(?:live|test)_[A-Za-z0-9_-]{16,}`,
	`\bnpm_[A-Za-z0-9]{36}`,
	`\bhf_[A-Za-z0-9]{30,}`,
	`\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}`,
	`(?i:\bbearer )[A-Za-z0-9._~+/-]{16,}=*`,
	`-----BEGIN [A-Z ]*PRIVATE KEY-----[A-Za-z0-9+/=\s]*(?:-----END [A-Z ]*PRIVATE KEY-----)?`,
}, "|"))

// minSecret is the length in bytes under which no text is a secret: shorter
// ones would be found inside ordinary words.
const minSecret = 8

// Redactor takes secrets out of what browser_cdp returns: texts with the form
// of a secret, and the secrets that the host itself holds. A nil Redactor knows
// the forms only. It is safe for concurrent use.
type Redactor struct{ own atomic.Pointer[[]string] }

// NewRedactor makes a Redactor that also knows these secrets, as Know says.
func NewRedactor(secrets ...string) *Redactor {
	r := new(Redactor)
	r.Know(secrets...)
	return r
}

// Know replaces the secrets of the host's own, as after a change of the
// configuration. Those under 8 bytes are ignored.
func (r *Redactor) Know(secrets ...string) {
	own := slices.DeleteFunc(slices.Clone(secrets), func(s string) bool { return len(s) < minSecret })
	// Longest first, so that a secret inside another leaves nothing behind.
	slices.SortFunc(own, func(a, b string) int { return len(b) - len(a) })
	r.own.Store(&own)
}

func (r *Redactor) secrets() []string {
	if own := r.own.Load(); own != nil {
		return *own
	}
	return nil
}

// Text returns text without secrets and how many there were.
func (r *Redactor) Text(text string) (string, int) {
	if len(text) < minSecret {
		return text, 0
	}
	n := 0
	if r != nil {
		for _, secret := range r.secrets() {
			if c := strings.Count(text, secret); c > 0 {
				text, n = strings.ReplaceAll(text, secret, redacted), n+c
			}
		}
	}
	if !secretShapes.MatchString(text) {
		return text, n
	}
	text = secretShapes.ReplaceAllStringFunc(text, func(string) string { n++; return redacted })
	return text, n
}

// Fault returns err without secrets in its message and details when it is a
// *fault.Error, which is all that is shown of an error.
func (r *Redactor) Fault(err error) error {
	e, ok := errors.AsType[*fault.Error](err)
	if !ok {
		return err
	}
	message, n := r.Text(e.Message)
	details, err := json.Marshal(e.Details)
	if err != nil {
		details = []byte("null")
	}
	clean, m := r.Result("", details)
	if n+m == 0 {
		return e
	}
	shown := fault.Wrap(e, e.Code, "%s", message)
	_ = json.Unmarshal(clean, &shown.Details) // what can't be read back is left out
	return shown
}

// Result returns the result of a CDP method without secrets in its strings,
// names of fields included, and how many there were. Binary fields are left as
// they are; which ones these are depends on the method and on what the browser
// says, never on names that a page can choose.
func (r *Redactor) Result(method string, result json.RawMessage) (json.RawMessage, int) {
	skip := binaryField(method, result)
	var out bytes.Buffer
	n, copied := 0, 0
	depth, key := 0, ""
	for i := 0; i < len(result); {
		switch result[i] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '"':
			end := stringEnd(result, i)
			literal := result[i:end]
			isKey := nextByte(result, end) == ':'
			if depth == 1 && isKey {
				key = string(literal)
			}
			if !isKey && depth == 1 && skip != "" && key == skip {
				i = end
				continue
			}
			if clean, found := r.literal(literal); found > 0 {
				out.Write(result[copied:i])
				out.Write(clean)
				copied, n = end, n+found
			}
			i = end
			continue
		}
		i++
	}
	if n == 0 {
		return result, 0
	}
	out.Write(result[copied:])
	return out.Bytes(), n
}

// literal redacts one JSON string, quotes included.
func (r *Redactor) literal(quoted []byte) ([]byte, int) {
	if len(quoted) < minSecret+2 {
		return quoted, 0
	}
	var text string
	if bytes.IndexByte(quoted, '\\') < 0 {
		text = string(quoted[1 : len(quoted)-1])
	} else if err := json.Unmarshal(quoted, &text); err != nil {
		return []byte(strconv.Quote(redacted)), 1 // not JSON: nothing of it can be vouched for
	}
	clean, n := r.Text(text)
	if n == 0 {
		return quoted, 0
	}
	out, err := json.Marshal(clean)
	if err != nil {
		return []byte(strconv.Quote(redacted)), n
	}
	return out, n
}

// stringEnd returns the index after the JSON string that starts at i.
func stringEnd(b []byte, i int) int {
	for j := i + 1; j < len(b); j++ {
		switch b[j] {
		case '\\':
			j++
		case '"':
			return j + 1
		}
	}
	return len(b)
}

func nextByte(b []byte, i int) byte {
	for ; i < len(b); i++ {
		switch b[i] {
		case ' ', '\t', '\r', '\n':
		default:
			return b[i]
		}
	}
	return 0
}
