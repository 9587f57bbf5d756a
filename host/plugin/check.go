package plugin

import (
	"context"

	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
)

// check starts a plugin, lets it judge its configuration, and ends it.
func (l *launcher) check(ctx context.Context, spec *Spec) (Description, error) {
	g, err := l.begin(ctx, spec, 0)
	if err != nil {
		return Description{}, err
	}
	defer g.close()
	resp, err := stepCall(ctx, g, "Validate", func(ctx context.Context) (*pluginv1.ValidateResponse, error) {
		return g.life.Validate(ctx, &pluginv1.ValidateRequest{Config: spec.Config})
	})
	if err != nil {
		return g.desc, err
	}
	return g.desc, configError(spec.Name, resp.GetProblems())
}
