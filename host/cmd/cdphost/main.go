// Command cdphost is a browser host for AI agents: it owns the Chrome DevTools
// Protocol connections, runs the plugins that decide about dialogs and frames,
// and serves agents over MCP.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"cdphost/sdk/fault"
)

// Exit codes: 2 is the caller's mistake (usage, configuration), 1 anything else.
const (
	exitFailure = 1
	exitUsage   = 2
)

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	root := rootCommand()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	var silent silentError
	if !errors.As(err, &silent) {
		fmt.Fprintln(os.Stderr, sentence(err))
	}
	var usage usageError
	if errors.As(err, &usage) || errors.Is(err, fault.ConfigInvalid) {
		return exitUsage
	}
	return exitFailure
}

// sentence is an error as a person reads it: without the code that programs
// compare.
func sentence(err error) string {
	var f *fault.Error
	if errors.As(err, &f) && f.Error() == err.Error() {
		return "cdphost: " + f.Message
	}
	return "cdphost: " + err.Error()
}

// usageError is a mistake in the command line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// silentError ends the program with a failure that was told already.
type silentError struct{ error }
