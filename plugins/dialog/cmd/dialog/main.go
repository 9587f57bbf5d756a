// Command dialog serves the dialog policies as a plugin process of its own.
package main

import "cdphost/plugins/dialog"

func main() { dialog.Serve() }
