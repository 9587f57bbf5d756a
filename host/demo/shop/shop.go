// Package shop is a small web shop to try an agent on: a checkout that asks
// with confirm and prompt, and frames of two other sites.
//
// It is one handler that tells its sites apart by the Host header: a host
// pay.* is the payment form, ads.* the banner, and any other the shop, which
// looks for the two beside itself (shop.localhost:80 for pay.localhost:80). It
// keeps no state.
package shop

import (
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"strings"
)

//go:embed pages
var files embed.FS

var pages = template.Must(template.New("").Funcs(template.FuncMap{"euro": euro}).ParseFS(files, "pages/*.html"))

// Handler serves all sites of the shop.
func Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /assets/", http.StripPrefix("/assets/", assets()))
	mux.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("GET /{$}", serve)
	return mux
}

func serve(w http.ResponseWriter, r *http.Request) {
	site, rest, _ := strings.Cut(r.Host, ".")
	name := "shop.html"
	switch site {
	case "pay", "ads":
		name = site + ".html"
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	// The only way to fail is a client that has gone.
	_ = pages.ExecuteTemplate(w, name, view{Products: Products, Cart: Cart(), Rest: rest})
}

// view is what the pages are made from.
type view struct {
	Products []Product
	Cart     Order
	// Rest is the host without its first label, for the neighbours' addresses.
	Rest string
}

// Neighbour returns the address of another site of the shop.
func (v view) Neighbour(site string) string { return "http://" + site + "." + v.Rest + "/" }

func euro(cents int) string { return fmt.Sprintf("€ %d.%02d", cents/100, cents%100) }
