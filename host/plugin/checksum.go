package plugin

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"strings"

	"cdphost/sdk/fault"
)

// checkSHA256 compares the program with the digest that the configuration names.
func checkSHA256(spec *Spec) error {
	if spec.SHA256 == "" {
		return nil
	}
	f, err := os.Open(spec.Path)
	if err != nil {
		return fault.Wrap(err, fault.PluginUnavailable, "plugin %s: %v", spec.Name, err)
	}
	defer func() { _ = f.Close() }()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return fault.Wrap(err, fault.PluginUnavailable, "plugin %s: %v", spec.Name, err)
	}
	if got := hex.EncodeToString(sum.Sum(nil)); !strings.EqualFold(got, spec.SHA256) {
		return fault.New(fault.PluginUnavailable,
			"plugin %s: the sha256 of %s is %s, but the configuration says %s; the program was changed, or the entry is old",
			spec.Name, spec.Path, got, strings.ToLower(spec.SHA256))
	}
	return nil
}
