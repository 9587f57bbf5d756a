package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"cdphost/host/config"
	"cdphost/host/demo"
	"cdphost/host/endpoint"
	"cdphost/host/supervisor"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"
)

// demoPause is how long a watched demo rests on each step.
const demoPause = 1500 * time.Millisecond

func demoCommand() *cobra.Command {
	var headed bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "See it all work: a shop, its dialogs, a cross-origin frame, a swap and a killed plugin",
		Long: `Starts a host with a browser of its own and the plugins as processes, serves a small shop on
loopback, and plays an agent against it through a real MCP client. It ends everything it started.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runDemo(cmd, headed) },
	}
	cmd.Flags().BoolVar(&headed, "headed", false, "show the browser's window")
	return cmd
}

func runDemo(cmd *cobra.Command, headed bool) (err error) {
	ctx := cmd.Context()
	browser, err := endpoint.FindBrowser("")
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "cdphost-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary folder
	file, err := demo.WriteConfig(dir, headed)
	if err != nil {
		return err
	}
	cfg, err := config.Load(file)
	if err != nil {
		return err
	}
	var log bytes.Buffer // shown only when something goes wrong: the story is what to look at
	defer func() {
		if err != nil {
			_, _ = log.WriteTo(cmd.ErrOrStderr())
		}
	}()
	h, err := startHost(ctx, hostOptions{config: cfg, mode: "demo", log: &log})
	if err != nil {
		return err
	}
	defer h.close(context.WithoutCancel(ctx))
	l, err := h.server.Listen(ctx, cfg.Server.Listen)
	if err != nil {
		return err
	}
	if err := h.startControl(l.Addr().String()); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- h.server.Serve(l) }()
	o := demo.Options{
		Out: cmd.OutOrStdout(), Config: file, Browser: filepath.Base(browser),
		Color: isatty.IsTerminal(os.Stdout.Fd()) && os.Getenv("NO_COLOR") == "",
	}
	if headed {
		o.Pause = demoPause
	}
	err = demo.Run(ctx, demoHost{h, fmt.Sprintf("http://%s/mcp", l.Addr())}, o)
	h.close(context.WithoutCancel(ctx))
	if serveErr := <-ended; err == nil {
		err = serveErr
	}
	return err
}

// demoHost is the host as the demo sees it.
type demoHost struct {
	*host
	endpoint string
}

func (d demoHost) Endpoint() string { return d.endpoint }

func (d demoHost) Policy() string { return d.config.Load().Browser.DialogPolicy }

func (d demoHost) PluginPID(name string) int {
	for _, s := range d.plugins.Status() {
		if s.Name == name {
			return s.PID
		}
	}
	return 0
}

func (d demoHost) Epoch(taskID string) uint64 {
	var epoch uint64
	d.registry.Each(func(s *supervisor.Supervisor) {
		if s.Key().TaskID == taskID {
			epoch = s.Snapshot().Epoch
		}
	})
	return epoch
}
