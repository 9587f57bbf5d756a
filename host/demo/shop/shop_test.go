package shop

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestSites(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, host, path, says string }{
		{"shop", "shop.localhost:80", "/", `src="http://pay.localhost:80/"`},
		{"shop with checkout", "shop.localhost:80", "/?checkout=1", "Stoneware kettle"},
		{"total", "shop.localhost:80", "/", "€ 130.00"},
		{"payment", "pay.test:80", "/", "Amount due"},
		{"banner", "ads.test:80", "/", "Free shipping"},
		{"script", "shop.localhost:80", "/assets/shop.js", "Gift message?"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest(http.MethodGet, "http://"+tc.host+tc.path, nil)
			w := httptest.NewRecorder()
			Handler().ServeHTTP(w, r)
			if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), tc.says) {
				t.Errorf("%d, without %q:\n%s", w.Code, tc.says, w.Body)
			}
		})
	}
}

func TestNothingElse(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/shop.html", "/pages/shop.html", "/assets/../shop.html", "/x"} {
		r := httptest.NewRequest(http.MethodGet, "http://shop.localhost"+path, nil)
		w := httptest.NewRecorder()
		Handler().ServeHTTP(w, r)
		if w.Code == http.StatusOK {
			t.Errorf("%s is served", path)
		}
	}
}
