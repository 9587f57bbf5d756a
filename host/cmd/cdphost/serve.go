package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"cdphost/host/config"
	"cdphost/host/server"
	"cdphost/sdk/fault"

	"github.com/spf13/cobra"
)

func serveCommand(file *string) *cobra.Command {
	var listen, transcripts string
	cmd := &cobra.Command{
		Use:     "serve",
		Short:   "Serve MCP over streamable HTTP",
		Long:    "Serves the default toolset at /mcp and each toolset at /mcp/NAME, on loopback unless the configuration says otherwise.",
		Example: "  cdphost serve\n  cdphost serve --listen 127.0.0.1:0 --config ./config.yaml",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := config.Load(*file)
			if err != nil {
				return err
			}
			if listen == "" {
				listen = cfg.Server.Listen
			} else if err := cfg.CheckListen(listen); err != nil {
				return err
			}
			return serve(cmd.Context(), cfg, listen, transcripts, cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&listen, "listen", "", "`ADDR` to listen at, instead of server.listen")
	transcriptFlag(cmd, &transcripts)
	return cmd
}

func serve(ctx context.Context, cfg *config.Config, listen, transcripts string, out io.Writer) error {
	h, err := startHost(ctx, hostOptions{config: cfg, mode: "serve", log: os.Stderr, transcripts: transcripts})
	if err != nil {
		return err
	}
	defer h.close(context.WithoutCancel(ctx))
	l, err := h.server.Listen(ctx, listen)
	if err != nil {
		return err
	}
	if err := h.startControl(l.Addr().String()); err != nil {
		return err
	}
	fmt.Fprintf(out, "cdphost serves MCP at http://%s/mcp\n", l.Addr())
	ended := make(chan error, 1)
	go func() { ended <- h.server.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		h.close(context.WithoutCancel(ctx))
		return <-ended
	}
}

func mcpCommand(file *string) *cobra.Command {
	var toolset, transcripts string
	cmd := &cobra.Command{
		Use:     "mcp",
		Short:   "Serve MCP to one client over stdin and stdout",
		Example: "  cdphost mcp\n  cdphost mcp --toolset core",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := config.Load(*file)
			if err != nil {
				return err
			}
			if toolset == "" {
				toolset = cfg.Server.DefaultToolset
			}
			if _, ok := cfg.Toolsets[toolset]; !ok {
				return usageError{fault.New(fault.InvalidArgument, "there is no toolset %q; there are: %s", toolset,
					strings.Join(slices.Sorted(maps.Keys(cfg.Toolsets)), ", "))}
			}
			in, out := server.TakeStdio()
			h, err := startHost(cmd.Context(), hostOptions{config: cfg, mode: "mcp", log: os.Stderr, transcripts: transcripts})
			if err != nil {
				return err
			}
			defer h.close(context.WithoutCancel(cmd.Context()))
			if err := h.startControl(""); err != nil {
				return err
			}
			return h.server.ServeStdio(cmd.Context(), toolset, in, out)
		},
	}
	cmd.Flags().StringVar(&toolset, "toolset", "", "serve the toolset `NAME` instead of server.default_toolset")
	transcriptFlag(cmd, &transcripts)
	return cmd
}
