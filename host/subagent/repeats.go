package subagent

import (
	"crypto/sha256"
	"encoding/json"
	"regexp"
)

// When a run goes round in circles.
const (
	warnAfter = 3 // rounds after which the model is told
	stopAfter = 6 // rounds after which the run ends
	maxPeriod = 4 // turns of the longest circle looked for
)

type digest [sha256.Size]byte

// repeats finds circles: the same actions with the same outcome, again and
// again.
type repeats struct{ seen []digest }

// add takes the fingerprint of a turn and returns how many times in a row the
// last circle went round, 1 when it is new.
func (r *repeats) add(p digest) int {
	r.seen = append(r.seen, p)
	if n := len(r.seen); n > maxPeriod*stopAfter {
		r.seen = r.seen[n-maxPeriod*stopAfter:]
	}
	most := 1
	for period := 1; period <= maxPeriod; period++ {
		most = max(most, r.rounds(period))
	}
	return most
}

// rounds counts how often the last period turns stand one after another at the
// end.
func (r *repeats) rounds(period int) int {
	same := 0
	for i := len(r.seen) - 1 - period; i >= 0 && r.seen[i] == r.seen[i+period]; i-- {
		same++
	}
	return same/period + 1
}

// fingerprint sums up a turn: the calls and what came of them. When one failed,
// the page around it does not count: the same failure is no news however the
// page ticks.
type fingerprint struct {
	parts  []string
	failed bool
}

func (f *fingerprint) call(name string, args json.RawMessage, out *Output) {
	f.parts = append(f.parts, name, canonical(args))
	if out.Failed {
		var r reply
		_ = json.Unmarshal(out.Reply, &r) // no code: the call alone counts
		f.parts = append(f.parts, r.code())
		f.failed = true
		return
	}
	f.parts = append(f.parts, steady(string(out.Reply)))
}

func (f *fingerprint) page(p *piece) {
	if p != nil && !f.failed {
		f.parts = append(f.parts, steady(p.full))
	}
}

func (f *fingerprint) sum() digest {
	h := sha256.New()
	for _, p := range f.parts {
		h.Write([]byte(p))
		h.Write([]byte{0})
	}
	return digest(h.Sum(nil))
}

// counters are what differs between two replies that say the same.
var counters = regexp.MustCompile(`\bd-\d+\b|"version":"[^"]*"|"(?:opened|closed)_at":[0-9.]+`)

func steady(text string) string { return counters.ReplaceAllString(text, "") }

// canonical writes JSON with sorted keys; what is no JSON stays as it is.
func canonical(raw json.RawMessage) string {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return string(raw)
	}
	out, err := json.Marshal(v)
	if err != nil {
		return string(raw)
	}
	return string(out)
}
