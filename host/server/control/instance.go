package control

import (
	"context"
	"slices"
)

// Instance is a running host of this user.
type Instance struct {
	Info
	Socket string `json:"socket"`
}

// Instances lists the hosts that answer, by process id.
func Instances(ctx context.Context, dir string) []Instance {
	sweep(dir)
	var out []Instance
	for _, path := range sockets(dir) {
		if info, err := ask(ctx, path); err == nil {
			out = append(out, Instance{info, path})
		}
	}
	slices.SortFunc(out, func(a, b Instance) int { return a.PID - b.PID })
	return out
}

func ask(ctx context.Context, path string) (Info, error) {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	c := Open(path)
	defer c.Close()
	return Call[Info](ctx, c, "info", struct{}{})
}
