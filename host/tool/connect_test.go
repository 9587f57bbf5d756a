package tool

import (
	"slices"
	"testing"

	"cdphost/sdk/fault"
)

func TestConnect(t *testing.T) {
	t.Parallel()
	k, _, dir := bench()
	res, err := k.connect(t.Context(), callOf(`{"url":"127.0.0.1:9222","adopt":"*shop*","task_id":"mine"}`))
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "connect", res.Structured)
	if want := []Connection{{URL: "127.0.0.1:9222", Adopt: "*shop*"}}; !slices.Equal(dir.joined, want) {
		t.Errorf("joined %v", dir.joined)
	}
}

func TestDisconnect(t *testing.T) {
	t.Parallel()
	k, _, dir := bench()
	res, err := k.disconnect(t.Context(), callOf(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "disconnect", res.Structured)
	if len(dir.tasks) != 0 {
		t.Error("the task is still there")
	}
	if _, err := k.disconnect(t.Context(), callOf(`{}`)); fault.CodeOf(err) != fault.TaskNotFound {
		t.Errorf("a second time: %v", err)
	}
}
