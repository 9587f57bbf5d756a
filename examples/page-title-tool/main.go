// Command page-title-tool is a cdphost plugin that offers agents the tool
// page_title.
package main

import "cdphost/sdk"

func main() { sdk.Serve(plugin()) }
