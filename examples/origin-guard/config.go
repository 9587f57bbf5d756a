package main

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"cdphost/sdk"
)

type config struct {
	// Origins are where input is allowed, as "https://example.com", or
	// "https://*.example.com" for all subdomains.
	Origins []string `json:"origins"`
}

// Validate is called by the SDK; the host shows each error with its line.
func (c *config) Validate() error {
	var errs []error
	for i, o := range c.Origins {
		u, err := url.Parse(o)
		if err != nil || u.Scheme == "" || u.Host == "" || u.Scheme+"://"+u.Host != strings.ToLower(o) || strings.LastIndex(u.Host, "*") > 0 {
			errs = append(errs, &sdk.ConfigError{
				Path:    fmt.Sprintf("origins[%d]", i),
				Message: fmt.Sprintf("%q is no origin such as \"https://example.com\" or \"https://*.example.com\"", o),
			})
		}
	}
	return errors.Join(errs...)
}
