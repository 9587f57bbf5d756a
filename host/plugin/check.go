package plugin

import (
	"context"

	pluginv1 "cdphost/sdk/proto/cdphost/plugin/v1"
)

// check starts a plugin, lets it judge its configuration, and ends it. A tool
// provider says only when it is configured which tools it has, so one whose
// configuration is right is configured.
func (l *launcher) check(ctx context.Context, spec *Spec) (Description, error) {
	g, err := l.begin(ctx, spec, 0)
	if err != nil {
		return Description{}, err
	}
	end := g.close
	defer func() { end() }()
	resp, err := stepCall(ctx, g, "Validate", func(ctx context.Context) (*pluginv1.ValidateResponse, error) {
		return g.life.Validate(ctx, &pluginv1.ValidateRequest{Config: spec.Config})
	})
	if err == nil {
		err = configError(spec.Name, resp.GetProblems())
	}
	if err != nil || !g.desc.has(hookTool) {
		return g.desc, err
	}
	end = func() { g.retire(0) }
	err = g.tryConfigure(ctx)
	for _, t := range g.tools {
		g.desc.Tools = append(g.desc.Tools, t.Name)
	}
	return g.desc, err
}
