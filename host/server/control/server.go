// Package control is the operator's way into a running host: typed requests as
// JSON over HTTP over a Unix socket that only the same user can open.
//
// The socket lies in a private folder, one for each process; sockets that
// killed hosts have left are removed. It never listens on TCP, and Close
// returns after all requests have ended.
package control

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"

	"cdphost/sdk/fault"
)

// maxRequest bounds a request's body in bytes. Operators send names, not data.
const maxRequest = 1 << 20

// Info tells hosts of one user apart.
type Info struct {
	PID     int       `json:"pid"`
	Version string    `json:"version"`
	Started time.Time `json:"started"`
	// Mode is "serve" or "mcp".
	Mode string `json:"mode"`
	// Listen is the address of MCP over HTTP, "" without one.
	Listen string `json:"listen,omitempty"`
	// Config is the configuration file in use, "" for the built-in one.
	Config string `json:"config,omitempty"`
}

// Request is a request that has been answered.
type Request struct {
	Name string
	// Body is the request's JSON. It must not be changed.
	Body     []byte
	Err      error
	Duration time.Duration
}

// Server answers an operator's requests. Handlers are added before Start.
type Server struct {
	log  hclog.Logger
	seen func(Request)
	mux  *http.ServeMux
	http *http.Server
	path string

	alive context.Context // ends when Close begins
	stop  context.CancelFunc
	done  sync.WaitGroup
}

// New makes a Server that knows no requests but "info". seen, if not nil, is told
// of each request once it has been answered.
func New(log hclog.Logger, seen func(Request)) *Server {
	if log == nil {
		log = hclog.NewNullLogger()
	}
	s := &Server{log: log, seen: seen, mux: http.NewServeMux()}
	s.alive, s.stop = context.WithCancel(context.Background())
	return s
}

// Handle adds a request by name. f's error reaches the client with its
// fault.Code. f may run in several goroutines at once.
func Handle[Req, Resp any](s *Server, name string, f func(context.Context, Req) (Resp, error)) {
	s.mux.HandleFunc("POST /v1/"+name, func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
		defer func() {
			if s.seen != nil {
				s.seen(Request{Name: name, Body: body, Err: err, Duration: time.Since(start)})
			}
		}()
		var req Req
		if err == nil {
			dec := json.NewDecoder(bytes.NewReader(body))
			dec.DisallowUnknownFields()
			err = dec.Decode(&req)
		}
		if err != nil {
			err = fault.Wrap(err, fault.InvalidArgument, "The request %q can't be read: %v.", name, err)
			s.reply(w, nil, err)
			return
		}
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		defer context.AfterFunc(s.alive, cancel)()
		var resp Resp
		resp, err = f(ctx, req)
		s.reply(w, resp, err)
	})
}

// envelope is every reply on the wire; one of its fields is set.
type envelope struct {
	Result json.RawMessage `json:"result,omitempty"`
	Error  *fault.Error    `json:"error,omitempty"`
}

func (s *Server) reply(w http.ResponseWriter, resp any, err error) {
	var out envelope
	if err == nil {
		out.Result, err = json.Marshal(resp)
	}
	if err != nil {
		e, ok := errors.AsType[*fault.Error](err)
		if !ok {
			// The reader is the host's own user, who may see the cause.
			e = fault.New(fault.InternalError, "%v", err)
		}
		out = envelope{Error: e}
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(out); err != nil {
		s.log.Debug("an operator has gone before the reply", "error", err)
	}
}

// Start opens the socket in dir, which is made private, and serves until Close.
func (s *Server) Start(dir string, info Info) error {
	if err := preparePrivate(dir); err != nil {
		return fmt.Errorf("control socket: %w", err)
	}
	sweep(dir)
	s.path = filepath.Join(dir, socketName(info.PID))
	if len(s.path)+len(newSuffix) > maxSocketPath {
		return fmt.Errorf("control socket: the path %s is longer than %d bytes; set %s to a shorter folder", s.path, maxSocketPath, EnvDir)
	}
	l, err := listen(s.alive, s.path)
	if err != nil {
		return fmt.Errorf("control socket: %w", err)
	}
	Handle(s, "info", func(context.Context, struct{}) (Info, error) { return info, nil })
	s.http = &http.Server{Handler: s.mux, ReadHeaderTimeout: 10 * time.Second}
	s.done.Go(func() {
		if err := s.http.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			s.log.Error("the control socket has failed", "error", err)
		}
	})
	return nil
}

// Path returns where the socket is, once started.
func (s *Server) Path() string { return s.path }

// Close cancels requests in flight, closes and removes the socket.
func (s *Server) Close(ctx context.Context) error {
	s.stop()
	if s.http == nil {
		return nil
	}
	err := s.http.Shutdown(ctx)
	if err != nil {
		err = errors.Join(err, s.http.Close())
	}
	s.done.Wait()
	if gone := os.Remove(s.path); !errors.Is(gone, os.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}
