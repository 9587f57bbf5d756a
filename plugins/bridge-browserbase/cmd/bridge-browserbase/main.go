// Command bridge-browserbase serves the XMLHttpRequest dialog bridge as a plugin
// process of its own.
package main

import browserbase "cdphost/plugins/bridge-browserbase"

func main() { browserbase.Serve() }
