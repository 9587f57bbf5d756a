// Command frames serves the frame router as a plugin process of its own.
package main

import "cdphost/plugins/frames"

func main() { frames.Serve() }
