package config

import (
	"net"
	"net/url"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// format is a rule for strings; what finishes "X is not ...".
type format struct {
	what  string
	right func(string) bool
}

var (
	methodPattern = regexp.MustCompile(`^(\*|[A-Za-z]\w*\.(\*|[A-Za-z]\w*))$`)
	domainPattern = regexp.MustCompile(`^(\*\.)?([\pL\pN]([\pL\pN-]*[\pL\pN])?\.)*[\pL\pN]([\pL\pN-]*[\pL\pN])?$`)
	schemePattern = regexp.MustCompile(`^[a-z][a-z0-9+.-]*$`)
	sha256Pattern = regexp.MustCompile(`^[0-9a-fA-F]{64}$`)
	toolPattern   = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,128}$`)
	gatePattern   = regexp.MustCompile(`^(always|never|cdp|model|env:[A-Za-z_][A-Za-z0-9_]*)$`)
)

// formats are the values of the struct tag format. The empty string is always
// right where a string may be empty.
var formats = map[string]format{
	"method": {"a CDP name: Domain.name, Domain.* or *", methodPattern.MatchString},
	"domain": {"a domain such as example.com", isDomain},
	"origin": {"an origin such as https://example.com, https://*.example.com or *", isOrigin},
	"scheme": {"a URL scheme such as file, without the colon", schemePattern.MatchString},
	"sha256": {"a SHA-256 sum: 64 hexadecimal digits", sha256Pattern.MatchString},
	"tool":   {"a tool's name", toolPattern.MatchString},
	"name":   {"a name: up to 64 of a-z, 0-9, - and _", entryName.MatchString},
	"env":    {"the name of an environment variable", isEnvName},
	"gate":   {"a gate: always, never, cdp, model or env:NAME", gatePattern.MatchString},
	"url":    {"a URL such as https://host/path", isHTTPURL},
	"listen": {"an address such as 127.0.0.1:7717", isListen},
	"host":   {"a host name, or host:port", isHost},
}

func isDomain(s string) bool {
	return domainPattern.MatchString(s) || net.ParseIP(strings.Trim(s, "[]")) != nil
}

func isOrigin(s string) bool {
	if s == "*" {
		return true
	}
	scheme, host, ok := strings.Cut(s, "://")
	return ok && schemePattern.MatchString(scheme) && isHost(host)
}

func isHost(s string) bool {
	if host, port, err := net.SplitHostPort(s); err == nil {
		return isPort(port) && port != "0" && isDomain(host)
	}
	return isDomain(s)
}

func isHTTPURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil
}

func isListen(s string) bool {
	host, port, err := net.SplitHostPort(s)
	return err == nil && isPort(port) && (host == "" || isDomain(host) || net.ParseIP(strings.SplitN(host, "%", 2)[0]) != nil)
}

func isPort(s string) bool {
	_, err := strconv.ParseUint(s, 10, 16)
	return err == nil
}

// located makes a relative path start at the file's folder. An executable that
// is a bare name is left to be found on PATH.
func (d *decoder) located(s, format string) string {
	bare := !strings.ContainsAny(s, `/\`)
	if s == "" || filepath.IsAbs(s) || format != "path" && (format != "executable" || bare) {
		return s
	}
	return filepath.Join(d.dir, s)
}
