package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// Libraries are driven through a small program of their own, one JSON object a
// line: {id, method, params} there, {id, result} or {id, error} back. So they can
// be killed and weighed like a server; the hop costs about what a pipe costs.

type lineCall struct {
	ID     int            `json:"id"`
	Method string         `json:"method"`
	Params map[string]any `json:"params"`
}

type lineReply struct {
	ID     int    `json:"id"`
	Result string `json:"result"`
	Error  string `json:"error,omitempty"`
}

// startLibrary starts a library's program.
func startLibrary(_ context.Context, argv, env []string) (*session, error) {
	s, out, in, err := launch(argv, env)
	if err != nil {
		return nil, err
	}
	var mu sync.Mutex // of next, waiting and in
	waiting := map[int]chan lineReply{}
	next, gone := 0, make(chan struct{})
	go func() {
		defer close(gone)
		for r := bufio.NewReaderSize(out, 1<<20); ; {
			line, err := r.ReadBytes('\n')
			if err != nil {
				return
			}
			var reply lineReply
			if json.Unmarshal(line, &reply) != nil {
				continue
			}
			mu.Lock()
			c := waiting[reply.ID]
			delete(waiting, reply.ID)
			mu.Unlock()
			if c != nil {
				c <- reply
			}
		}
	}()
	s.invoke = func(ctx context.Context, name string, args map[string]any) (string, bool, error) {
		mu.Lock()
		next++
		c := make(chan lineReply, 1)
		waiting[next] = c
		data, err := json.Marshal(lineCall{next, name, args})
		if err == nil {
			_, err = in.Write(append(data, '\n'))
		}
		mu.Unlock()
		if err != nil {
			return "", false, err
		}
		select {
		case r := <-c:
			if r.Error != "" {
				return r.Error, true, nil
			}
			return r.Result, false, nil
		case <-gone:
			return "", false, errors.New("its process ended")
		case <-ctx.Done():
			return "", false, ctx.Err()
		}
	}
	if _, err := s.call(context.Background(), hangLimit, "start", nil); err != nil {
		s.kill()
		return nil, fmt.Errorf("%s: %w", argv[0], err)
	}
	return s, nil
}

// lines serves a library's calls from standard input until it ends.
func lines(call func(method string, params map[string]any) (string, error)) error {
	var mu sync.Mutex
	out := json.NewEncoder(os.Stdout)
	for r := bufio.NewReaderSize(os.Stdin, 1<<20); ; {
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil // the client has gone
		}
		if err != nil {
			return err
		}
		var c lineCall
		if err := json.Unmarshal(line, &c); err != nil {
			return err
		}
		go func() {
			reply := lineReply{ID: c.ID}
			result, err := call(c.Method, c.Params)
			reply.Result = result
			if err != nil {
				reply.Error = err.Error()
			}
			mu.Lock()
			defer mu.Unlock()
			_ = out.Encode(reply)
		}()
	}
}
