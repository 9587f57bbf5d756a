package main

import (
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// site serves the pages of the benchmark on loopback and is the independent
// witness: pages tell it what happened, and it notes when.
type site struct {
	port int
	srv  *http.Server

	mu    sync.Mutex
	marks map[string]time.Time
	wake  chan struct{}
}

func newSite() (*site, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	addr, ok := l.Addr().(*net.TCPAddr)
	if !ok {
		return nil, fmt.Errorf("not a TCP address: %s", l.Addr())
	}
	s := &site{port: addr.Port, marks: map[string]time.Time{}, wake: make(chan struct{})}
	mux := http.NewServeMux()
	mux.HandleFunc("/mark", s.mark)
	mux.HandleFunc("/cards", cards)
	mux.HandleFunc("/", servePage)
	s.srv = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go s.srv.Serve(l) //nolint:errcheck // ends with Close
	return s, nil
}

func (s *site) close() { _ = s.srv.Close() }

// url names a page of shop.localhost, which every browser resolves to this machine
// and takes for a site of its own.
func (s *site) url(path string) string {
	return fmt.Sprintf("http://shop.localhost:%d%s", s.port, path)
}

func (s *site) mark(w http.ResponseWriter, r *http.Request) {
	now := time.Now()
	w.Header().Set("Access-Control-Allow-Origin", "*")
	s.mu.Lock()
	s.marks[r.URL.Query().Get("m")] = now
	close(s.wake)
	s.wake = make(chan struct{})
	s.mu.Unlock()
}

// seen waits for a mark and returns when it came.
func (s *site) seen(m string, limit time.Duration) (time.Time, bool) {
	end := time.After(limit)
	for {
		s.mu.Lock()
		at, ok := s.marks[m]
		wake := s.wake
		s.mu.Unlock()
		if ok {
			return at, true
		}
		select {
		case <-wake:
		case <-end:
			return time.Time{}, false
		}
	}
}

// servePage is one page for all rows: what it does is in its query. mark(m) tells the
// witness, at once and before the next statement.
func servePage(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	q := r.URL.Query()
	id := q.Get("id")
	head := `<!doctype html><title>bench</title><script>
function mark(m){const x=new XMLHttpRequest();x.open("GET","/mark?m="+m,false);x.send()}
function ask(m){mark(m+"-open");const v=confirm("go on, "+m+"?");mark(m+"-closed-"+v)}
</script>`
	var body string
	switch r.URL.Path {
	case "/plain":
		body = `<button id=b onclick="mark('` + id + `-'+(++this.dataset.n))" data-n=0>Hit</button><p>plain`
	case "/load":
		body = `<script>ask("` + id + `")</script><p>loaded`
	case "/click":
		body = `<button id=b onclick="ask('` + id + `')">Ask</button>`
	case "/hover":
		body = `<button id=b onmouseenter="ask('` + id + `')">Ask</button>`
	case "/key":
		body = `<input id=b><script>addEventListener("keydown",()=>ask('` + id + `'))</script>`
	case "/popup":
		body = `<button id=b onclick="window.open('/load?id=` + id + `')">Open</button>`
	case "/flood":
		body = `<p>flood<script>let n=0;setInterval(()=>{for(let i=0;i<10;i++)console.log("line",n++)},10)</script>`
	case "/frames":
		body = `<p>frames<script>for(let i=0;i<` + strconv.Itoa(number(q.Get("n"))) + `;i++)document.body.append(document.createElement("iframe"))</script>`
	case "/frame":
		_, port, _ := net.SplitHostPort(r.Host)
		ask := ""
		if q.Has("ask") {
			ask = "&ask"
		}
		body = `<p>top<iframe id=f src="http://other.localhost:` + port + `/framed?id=` + id + ask + `"></iframe>`
	case "/framed":
		body = `<button id=inside>inside the frame</button><script>onload=()=>setTimeout(()=>{if(location.search.endsWith("&ask"))ask("` + id + `")},300)</script>`
	default:
		http.NotFound(w, r)
		return
	}
	fmt.Fprint(w, head, body)
}

// cards is a shop's list: n cards with a heading, a text, a link and two buttons.
func cards(w http.ResponseWriter, r *http.Request) {
	n := number(r.URL.Query().Get("n"))
	var b strings.Builder
	b.WriteString("<!doctype html><title>cards</title><main>")
	for i := range n {
		fmt.Fprintf(&b, `<article><h3>Product %d</h3><p>A thing that is useful in %d ways.</p><a href="/plain?p=%d">Details of %d</a> <button>Add to cart</button> <button aria-label="Remember product %d">&#9825;</button></article>`, i, i%7+1, i, i, i)
	}
	b.WriteString("</main>")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, b.String())
}

// number reads a query's number, 0 for none.
func number(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}
