// Command quiet-hours is a cdphost plugin that decides about dialogs by itself
// while the person who would answer them sleeps.
package main

import (
	"time"

	"cdphost/sdk"
)

func main() { sdk.Serve(plugin(time.Now)) }
