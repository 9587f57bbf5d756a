package cdptest

import "sync"

// script is what a test wants to happen to commands before the model sees them.
type script struct {
	mu       sync.Mutex
	handlers map[string]func(*Request) Reply
	failures []failure
	counts   map[string]int
}

// failure is the error of the nth command of a method.
type failure struct {
	method string
	nth    int
	err    *Error
}

// Handle lets f answer all commands of a method; f nil gives them back to the model. f runs on the
// goroutine of the command's socket, so further commands of that socket wait for it; it may call any
// method of the server but Close and Drop.
func (s *Server) Handle(method string, f func(*Request) Reply) {
	s.script.mu.Lock()
	defer s.script.mu.Unlock()
	if s.script.handlers == nil {
		s.script.handlers = map[string]func(*Request) Reply{}
	}
	s.script.handlers[method] = f
}

// Hang leaves all commands of a method without an answer.
func (s *Server) Hang(method string) {
	s.Handle(method, func(*Request) Reply { return NoReply })
}

// FailNth answers the nth command of a method from now on, counted from 1, with err; n 0 means every
// one.
func (s *Server) FailNth(method string, n int, err *Error) {
	s.script.mu.Lock()
	defer s.script.mu.Unlock()
	if n > 0 {
		n += s.script.counts[method]
	}
	s.script.failures = append(s.script.failures, failure{method, n, err})
}

// play returns what the script has to say about a command: Default when nothing.
func (s *script) play(r *Request) Reply {
	s.mu.Lock()
	if s.counts == nil {
		s.counts = map[string]int{}
	}
	s.counts[r.Method]++
	for _, f := range s.failures {
		if f.method == r.Method && (f.nth == 0 || f.nth == s.counts[r.Method]) {
			s.mu.Unlock()
			return Reply{Err: f.err}
		}
	}
	handler := s.handlers[r.Method]
	s.mu.Unlock()
	if handler == nil {
		return Default
	}
	return handler(r)
}
