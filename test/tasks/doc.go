// Package tasks holds small web tasks and the scripts that solve them through
// the MCP tools alone, as an agent would.
//
// A task is a page in pages/: it tells its goal, varies with a seed, and computes
// the reward by itself: task.reward is 1 once the goal is reached, 0 when it was
// missed for good. The same pages serve whoever wants to try an agent on them.
package tasks

import "embed"

// Pages are the tasks, one HTML file each, with what they share. They are asked
// for as /NAME.html?seed=N; a page that needs another origin takes pay.test on
// the same port.
//
//go:embed pages
var Pages embed.FS
