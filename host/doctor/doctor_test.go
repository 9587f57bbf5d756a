package doctor_test

import (
	"context"
	"errors"
	"testing"

	"cdphost/host/doctor"
	"cdphost/sdk/fault"

	"github.com/google/go-cmp/cmp"
)

func TestRun(t *testing.T) {
	t.Parallel()
	check := func(f doctor.Finding, err error) func(context.Context) (doctor.Finding, error) {
		return func(context.Context) (doctor.Finding, error) { return f, err }
	}
	findings := doctor.Run(t.Context(), []doctor.Check{
		{"good", check(doctor.Finding{Status: doctor.OK, Found: "all of it"}, nil)},
		{"coded", check(doctor.Finding{Do: "install one"}, fault.New(fault.BrowserMissing, "there is no browser"))},
		{"plain", check(doctor.Finding{}, errors.New("broken"))},
		{"after", check(doctor.Finding{Status: doctor.Warning, Found: "slow"}, nil)},
	})
	want := []doctor.Finding{
		{Check: "good", Status: doctor.OK, Found: "all of it"},
		{Check: "coded", Status: doctor.Failed, Found: "there is no browser", Do: "install one"},
		{Check: "plain", Status: doctor.Failed, Found: "broken"},
		{Check: "after", Status: doctor.Warning, Found: "slow"},
	}
	if diff := cmp.Diff(want, findings); diff != "" {
		t.Error(diff)
	}
	if doctor.Healthy(findings) {
		t.Error("healthy with failures")
	}
	if !doctor.Healthy(findings[3:]) {
		t.Error("a warning is no failure")
	}
}
