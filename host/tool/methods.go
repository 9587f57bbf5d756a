package tool

import (
	"fmt"
	"regexp"
	"strings"

	"cdphost/sdk/fault"
)

// MethodRules says which CDP methods may be sent. A rule is a method
// ("Page.reload"), a domain ("Page.*") or everything ("*"). Deny wins; an empty
// Allow allows what is not denied.
type MethodRules struct {
	Allow, Deny []string
}

var (
	methodName = regexp.MustCompile(`^[A-Z][A-Za-z0-9]*\.[a-z][A-Za-z0-9]*$`)
	methodRule = regexp.MustCompile(`^(\*|[A-Z][A-Za-z0-9]*\.(\*|[a-z][A-Za-z0-9]*))$`)
)

// Validate reports the first rule that could never match a method.
func (r MethodRules) Validate() error {
	for _, list := range [][]string{r.Allow, r.Deny} {
		for _, rule := range list {
			if !methodRule.MatchString(rule) {
				return fmt.Errorf("bad CDP method rule %q: want Domain.method, Domain.* or *", rule)
			}
		}
	}
	return nil
}

// Check returns fault.Denied, naming the rule, for a method that must not be sent.
func (r MethodRules) Check(toolset, method string) error {
	if rule, ok := firstMatch(r.Deny, method); ok {
		return fault.New(fault.Denied, "The toolset %q denies %s (rule %q).", toolset, method, rule).With("rule", rule)
	}
	if len(r.Allow) == 0 {
		return nil
	}
	if _, ok := firstMatch(r.Allow, method); ok {
		return nil
	}
	return fault.New(fault.Denied, "The toolset %q allows only %s.", toolset, strings.Join(r.Allow, ", ")).With("allowed", r.Allow)
}

func firstMatch(rules []string, method string) (string, bool) {
	for _, rule := range rules {
		if rule == method || rule == "*" {
			return rule, true
		}
		if domain, ok := strings.CutSuffix(rule, "*"); ok && strings.HasPrefix(method, domain) {
			return rule, true
		}
	}
	return "", false
}
