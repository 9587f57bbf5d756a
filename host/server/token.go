package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"
)

// Token lets a caller in.
type Token struct {
	// Caller is the name that the token stands for. Tasks belong to it.
	Caller string
	// Secret is what the caller sends. An empty one, as of a variable that is not
	// set, lets nobody in: what needs a token is not open for want of it.
	Secret string
	// Toolset, when not empty, is the only toolset that the token opens.
	Toolset string
}

// caller names who sent a request for a toolset; false when the request's
// bearer token opens nothing there. Every candidate is compared in constant
// time, whichever matches.
func caller(tokens []Token, toolset string, r *http.Request) (string, bool) {
	candidates := tokensOf(tokens, toolset)
	if len(candidates) == 0 {
		return LocalCaller, true
	}
	scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return "", false
	}
	sum := sha256.Sum256([]byte(strings.TrimSpace(given)))
	name, found := "", 0
	for _, t := range candidates {
		want := sha256.Sum256([]byte(t.Secret))
		if equal := subtle.ConstantTimeCompare(sum[:], want[:]); equal == 1 && t.Secret != "" {
			name, found = t.Caller, 1
		}
	}
	return name, found == 1
}

// tokensOf returns the tokens that open a toolset; none means that it is open.
func tokensOf(tokens []Token, toolset string) []Token {
	var own, shared []Token
	for _, t := range tokens {
		switch t.Toolset {
		case toolset:
			own = append(own, t)
		case "":
			shared = append(shared, t)
		}
	}
	if len(own) > 0 {
		return own
	}
	return shared
}
