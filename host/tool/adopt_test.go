package tool

import "testing"

func TestMatches(t *testing.T) {
	t.Parallel()
	const url = "https://shop.example/cart?id=1"
	for pattern, want := range map[string]bool{
		url: true, "*": true, "*cart*": true, "https://shop.example/*": true, "*?id=1": true, "*shop*id=*": true,
		"https://shop.example/cart": false, "*basket*": false, "cart*": false, "*cart": false, "": false,
	} {
		if got := matches(pattern, url); got != want {
			t.Errorf("matches(%q) = %v", pattern, got)
		}
	}
}
