package tool

import (
	"testing"

	"cdphost/sdk/fault"
)

func TestArtifacts(t *testing.T) {
	t.Parallel()
	a := NewArtifacts(10)
	put := func(caller, text string) Link {
		t.Helper()
		l, err := a.Put(caller, "extract", "text/plain", "", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	first, second := put("ada", "12345"), put("bob", "1234")
	if data, mime, err := a.Read(t.Context(), "ada", first.URI); err != nil || string(data) != "12345" || mime != "text/plain" {
		t.Errorf("%q, %q, %v", data, mime, err)
	}
	if _, _, err := a.Read(t.Context(), "bob", first.URI); fault.CodeOf(err) != fault.InvalidArgument {
		t.Errorf("another caller's: %v", err)
	}
	put("ada", "123456")
	if _, _, err := a.Read(t.Context(), "ada", first.URI); fault.CodeOf(err) != fault.InvalidArgument {
		t.Errorf("the oldest is still there: %v", err)
	}
	if _, _, err := a.Read(t.Context(), "bob", second.URI); err != nil {
		t.Errorf("more than needed has gone: %v", err)
	}
	if _, err := a.Put("ada", "x", "text/plain", "", make([]byte, 11)); fault.CodeOf(err) != fault.ReplyTooBig {
		t.Errorf("over the limit: %v", err)
	}
}
