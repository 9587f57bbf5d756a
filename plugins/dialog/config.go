package dialog

import (
	"errors"
	"fmt"

	"cdphost/sdk"
)

// Config is the plugin's configuration.
type Config struct {
	// Rules are tried in order; the first that matches decides.
	Rules []Rule `json:"rules"`
	// Fallback is the policy for a dialog that no rule matches: must_respond,
	// auto_dismiss or auto_accept. Mandatory when there are rules.
	Fallback string `json:"fallback"`
}

// Validate implements the SDK's check of a configuration.
func (c *Config) Validate() error {
	var errs []error
	for i := range c.Rules {
		errs = append(errs, c.Rules[i].validate(fmt.Sprintf("rules[%d]", i)))
	}
	allowed := []string{MustRespond, AutoDismiss, AutoAccept}
	switch {
	case c.Fallback != "":
		errs = append(errs, sdk.OneOf("fallback", c.Fallback, allowed...))
	case len(c.Rules) > 0:
		errs = append(errs, &sdk.ConfigError{
			Path: "fallback", Message: "is missing: say what happens to a dialog that no rule matches", Allowed: allowed,
		})
	}
	return errors.Join(errs...)
}

func (c *Config) fallback() string {
	if c.Fallback == "" {
		return MustRespond
	}
	return c.Fallback
}
