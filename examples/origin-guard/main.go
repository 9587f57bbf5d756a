// Command origin-guard is a cdphost plugin that lets nobody type or click except
// on the origins that its configuration lists.
package main

import "cdphost/sdk"

func main() { sdk.Serve(plugin()) }
