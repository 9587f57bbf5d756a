package main

import (
	"context"
	"os/exec"
	"strconv"
	"strings"
)

// tokens counts a text's tokens by o200k_base, with the npm package gpt-tokenizer.
func tokens(ctx context.Context, text string) stats {
	cmd := exec.CommandContext(ctx, "node", "tokens.mjs")
	cmd.Stdin = strings.NewReader(text)
	out, err := cmd.Output()
	if err != nil {
		return stats{Note: "not counted: " + err.Error()}
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
	if err != nil {
		return stats{Note: "not counted: " + err.Error()}
	}
	return stats{Value: n}
}
