package sdk

import (
	"context"

	"google.golang.org/grpc/metadata"
)

// TraceParent returns the traceparent (W3C Trace Context, section 3.2) of the
// host's span of a hook call, whose context ctx is; "" while the host makes no
// traces. A plugin that makes spans of its own puts them below it.
func TraceParent(ctx context.Context) string {
	values := metadata.ValueFromIncomingContext(ctx, "traceparent")
	if len(values) == 0 {
		return ""
	}
	return values[0]
}
