// Package dialog is the default dialog-policy plugin: must_respond, auto_dismiss,
// auto_accept, and an ordered list of rules with a fallback.
//
// It keeps no state: a verdict depends on the dialog and the configuration alone.
package dialog

import (
	"context"

	"cdphost/sdk"
	"cdphost/sdk/fault"
)

// The policies.
const (
	MustRespond = "must_respond"
	AutoDismiss = "auto_dismiss"
	AutoAccept  = "auto_accept"
	Rules       = "rules"
)

// Serve serves the plugin to the host that started this process.
func Serve() { sdk.Serve(Plugin()) }

// Plugin returns the plugin, for sdk.Serve and sdktest.
func Plugin() *sdk.Plugin {
	return sdk.New(sdk.Info{
		Name:        "dialog",
		Version:     "1.0.0",
		Description: "holds, accepts or dismisses JavaScript dialogs, by rules",
		Hooks:       []sdk.Hook{sdk.HookDialogPolicy},
		Policies:    []string{MustRespond, AutoDismiss, AutoAccept, Rules},
	}, Config{Rules: []Rule{}}, func(_ context.Context, env sdk.Env[Config]) (sdk.Hooks, error) {
		return sdk.Hooks{DialogPolicy: policy{env.Config}}, nil
	})
}

type policy struct{ config Config }

// Decide implements sdk.DialogPolicy.
func (p policy) Decide(_ context.Context, req sdk.DialogRequest) (sdk.Verdict, error) {
	if v, ok := simple(req.Policy); ok {
		return v, nil
	}
	if req.Policy != Rules {
		return sdk.Verdict{}, fault.New(fault.InvalidArgument, "no dialog policy %q; there are %s, %s, %s, %s",
			req.Policy, MustRespond, AutoDismiss, AutoAccept, Rules)
	}
	for i := range p.config.Rules {
		if r := &p.config.Rules[i]; r.matches(req) {
			return r.verdict(i), nil
		}
	}
	v, _ := simple(p.config.fallback())
	v.Reason = "rules: fallback " + p.config.fallback()
	return v, nil
}

// simple returns the verdict of a policy that treats all dialogs alike.
func simple(name string) (sdk.Verdict, bool) {
	switch name {
	case MustRespond:
		return sdk.Verdict{Do: sdk.Hold, Then: sdk.Dismiss, Reason: name}, true
	case AutoDismiss:
		return sdk.Verdict{Do: sdk.Dismiss, Reason: name}, true
	case AutoAccept:
		return sdk.Verdict{Do: sdk.Accept, Reason: name}, true
	default:
		return sdk.Verdict{}, false
	}
}
