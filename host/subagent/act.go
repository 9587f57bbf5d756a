package subagent

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"cdphost/sdk/fault"
)

// act carries out what the model answered. A Result ends the run.
func (r *run) act(ctx context.Context, rep *Reply) *Result {
	t := &turn{said: speakable(rep.Message)}
	r.hist.turns = append(r.hist.turns, t)
	if said := strings.TrimSpace(rep.Message.Text); said != "" {
		r.noted = said
	}
	calls := rep.Message.Calls
	if len(calls) == 0 {
		return r.silent(t, rep)
	}
	s := &step{run: r, turn: t, cut: rep.Stop == StopLength}
	for i, c := range calls {
		id := t.said.Calls[i].ID
		if s.skip != "" {
			s.refuse(id, fault.New(fault.Aborted, "Skipped: %s.", s.skip))
			continue
		}
		if result := s.call(ctx, id, c); result != nil {
			return result
		}
		if ctx.Err() != nil {
			return r.ended()
		}
	}
	return s.settle(ctx)
}

// silent deals with an answer without any call.
func (r *run) silent(t *turn, rep *Reply) *Result {
	switch {
	case r.exhausted:
		return r.stopped(BudgetExhausted, "the actions are used up")
	case rep.Stop == StopRefused:
		return r.stopped(Failed, "the model refused to go on")
	}
	if r.bad++; r.bad >= maxBadTurns {
		return r.stopped(Failed, "the model did not call any tool in "+fmt.Sprint(r.bad)+" answers")
	}
	t.notes = "Answer with a tool call. When the work is done, or can't be done, call complete."
	if rep.Stop == StopLength {
		t.notes = "Your answer was cut because it was too long. " + t.notes
	}
	return nil
}

// step is the calls of one answer while they are carried out.
type step struct {
	*run
	turn  *turn
	print fingerprint
	cut   bool   // the answer was cut, so its last call may be half
	skip  string // why the rest is skipped
	good  bool   // a call was usable
	acted bool   // something may have changed the page
	read  bool   // the last action was an extract
	tab   string // where that was
}

func (s *step) call(ctx context.Context, id string, c Call) *Result {
	if c.Name == ToolComplete {
		return s.complete(id, c)
	}
	if s.exhausted {
		return s.stopped(BudgetExhausted, "the actions are used up")
	}
	if _, known := s.takes[c.Name]; !known {
		s.refuse(id, fault.New(fault.InvalidArgument, "There is no tool %q. The tools are %s, %s and %s.",
			clip(c.Name, 64), ToolBrowser, ToolDialog, ToolComplete))
		return nil
	}
	args := json.RawMessage(c.Args)
	if strings.TrimSpace(c.Args) == "" {
		args = json.RawMessage("{}")
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(args, &object); err != nil || object == nil {
		err := malformed(c.Args)
		if s.cut {
			err = fault.New(fault.InvalidArgument, "The call was cut because your answer was too long. Call the tool again, more briefly.")
		}
		s.refuse(id, err)
		return nil
	}
	s.good = true
	if s.meter.actionsLeft() == 0 {
		s.exhausted = true
		s.refuse(id, fault.New(fault.Denied, "The actions are used up and this one was not done. Call complete with what you have."))
		return nil
	}
	return s.carryOut(ctx, id, c.Name, s.takes[c.Name].prune(args))
}

func (s *step) complete(id string, c Call) *Result {
	status, summary, err := completion(c.Args)
	if err != nil {
		if s.exhausted {
			return s.stopped(BudgetExhausted, "the actions are used up")
		}
		s.refuse(id, err)
		return nil
	}
	if s.exhausted {
		status = BudgetExhausted
	}
	return s.finish(status, summary)
}

// refuse answers a call that was not carried out.
func (s *step) refuse(id string, err error) {
	if s.skip == "" {
		s.skip = "an earlier call of this answer was not carried out"
	}
	text := "error " + err.Error()
	s.log.refused(id, text)
	s.turn.results = append(s.turn.results, result{call: id, bad: true, piece: piece{full: text, short: text}})
}

// settle ends a turn: the page is looked at, and circles are found.
func (s *step) settle(ctx context.Context) *Result {
	if !s.good {
		if s.bad++; s.bad >= maxBadTurns {
			return s.stopped(Failed, fmt.Sprintf("the model's tool calls made no sense in %d answers in a row", s.bad))
		}
		return nil
	}
	s.bad = 0
	if s.exhausted {
		return nil
	}
	if s.acted && !s.read {
		s.turn.look = s.look(ctx, s.tab)
		s.print.page(s.turn.look)
	}
	if ctx.Err() != nil {
		return s.ended()
	}
	switch rounds := s.rounds.add(s.print.sum()); {
	case rounds >= stopAfter:
		return s.stopped(Failed, fmt.Sprintf("the same actions had the same outcome %d times in a row", rounds))
	case rounds >= warnAfter:
		s.turn.notes = fmt.Sprintf("You have done the same %d times with the same outcome. Do something else, or call complete.", rounds)
	}
	if n := s.meter.note(); n != "" {
		s.turn.notes = strings.TrimSpace(s.turn.notes + " " + n)
	}
	return nil
}
