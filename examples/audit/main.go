// Command audit is a cdphost plugin that writes what happens in all tasks to a
// file, one JSON object a line.
package main

import "cdphost/sdk"

func main() { sdk.Serve(plugin()) }
