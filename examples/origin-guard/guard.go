package main

import (
	"context"
	"strings"

	"cdphost/sdk"
)

type guard struct{ origins []string }

// Filter implements sdk.CommandGuard. A verdict depends on the origin alone, so
// only its change makes the host ask again.
func (guard) Filter() sdk.Filter {
	return sdk.Filter{Methods: []string{"Input.*"}, Compare: []string{sdk.FactOrigin}}
}

// Validate implements sdk.CommandGuard.
func (g guard) Validate(_ context.Context, req sdk.GuardRequest) (sdk.GuardVerdict, error) {
	for _, allowed := range g.origins {
		if matches(allowed, req.Facts.Origin) {
			return sdk.Allow(), nil
		}
	}
	return sdk.Deny("input is not allowed on " + req.Facts.Origin), nil
}

// matches reports whether an origin is the one of pattern, or below it. The host
// gives origins as browsers do: in lower case, without a default port.
func matches(pattern, origin string) bool {
	scheme, host, below := strings.Cut(strings.ToLower(pattern), "://*.")
	if !below {
		return strings.EqualFold(pattern, origin)
	}
	rest, ok := strings.CutPrefix(origin, scheme+"://")
	return ok && strings.HasSuffix(rest, "."+host)
}
