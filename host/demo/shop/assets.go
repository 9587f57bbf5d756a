package shop

import (
	"io/fs"
	"net/http"
)

// assets serves the style sheets and scripts, and nothing else of the pages.
func assets() http.Handler {
	sub, err := fs.Sub(files, "pages/assets")
	if err != nil {
		panic(err) // the folder is embedded
	}
	return http.FileServerFS(sub)
}
