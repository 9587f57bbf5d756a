package frames

import (
	"testing"

	"cdphost/sdk/conformance"
)

func TestConforms(t *testing.T) {
	t.Parallel()
	conformance.Test(t, Plugin(), nil)
}
