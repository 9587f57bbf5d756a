// Package walker holds the script that looks at a page from inside, in an
// isolated world of each frame.
//
// The script changes nothing in a document unless it is told to, keeps what it
// knows out of the page's reach, and gives each node a number that is never
// given to another node of that document.
package walker

import (
	"embed"
	"strings"
	"sync"
)

//go:embed *.js accname.LICENSE
var files embed.FS

// order is that of definition: each file may use what stands before it when it
// is loaded, and anything once it runs.
var order = []string{
	"accname.js", "registry.js", "tree.js", "roles.js", "names.js", "states.js", "twins.js", "walk.js",
	"point.js", "ready.js", "fill.js", "scroll.js", "wait.js", "read.js", "main.js",
}

// Source returns an expression whose value is the walker of the document that
// evaluates it.
var Source = sync.OnceValue(func() string {
	var b strings.Builder
	b.WriteString("(() => {\n\"use strict\";\n")
	for _, name := range order {
		text, err := files.ReadFile(name)
		if err != nil {
			panic("walker: " + err.Error()) // embedded above
		}
		b.Write(text)
		b.WriteByte('\n')
	}
	b.WriteString("})()")
	return b.String()
})
