package supervisor

import (
	"encoding/json"

	"cdphost/host/cdp"
	"cdphost/host/dialog"
)

// effects is what a change of state asks for. They are carried out after the
// lock is released; none of them waits.
type effects struct {
	sends  []*dialog.Send
	decide []dialog.Dialog
	posts  []post
	work   []func() // on goroutines that Stop waits for
}

// post is one command whose reply, if anybody wants it, comes on the reader
// goroutine.
type post struct {
	cmd   cdp.Command
	reply func(result json.RawMessage, err error)
}

func (fx *effects) send(s *dialog.Send) {
	if s != nil {
		fx.sends = append(fx.sends, s)
	}
}

func (fx *effects) post(session, method string, params any, reply func(json.RawMessage, error)) {
	cmd := cdp.Command{SessionID: session, Method: method}
	if params != nil {
		cmd.Params = cdp.Marshal(params)
	}
	fx.posts = append(fx.posts, post{cmd, reply})
}

// continueRequest lets a paused request go on as it is.
func (fx *effects) continueRequest(session, id string) {
	fx.posts = append(fx.posts, post{cmd: cdp.Command{
		SessionID: session, Method: fetchContinue, Params: encode(map[string]string{"requestId": id}),
	}})
}

func (s *Supervisor) carryOut(fx *effects) {
	for _, p := range fx.posts {
		s.member.Post([]cdp.Command{p.cmd}, func(_ int, result json.RawMessage, err error) {
			if p.reply != nil {
				p.reply(result, err)
			}
		})
	}
	for _, send := range fx.sends {
		s.answer(send)
	}
	for _, f := range fx.work {
		s.goWork(f)
	}
	for _, d := range fx.decide {
		s.goWork(func() { s.decide(d) })
	}
}

// goWork runs f on a goroutine that Stop waits for.
func (s *Supervisor) goWork(f func()) {
	s.mu.Lock()
	if s.stopped {
		s.mu.Unlock()
		return
	}
	s.work.Add(1)
	s.mu.Unlock()
	go func() {
		defer s.work.Done()
		f()
	}()
}
