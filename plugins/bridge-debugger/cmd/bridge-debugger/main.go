// Command bridge-debugger serves the debugger-pause dialog bridge as a plugin
// process of its own.
package main

import debugger "cdphost/plugins/bridge-debugger"

func main() { debugger.Serve() }
