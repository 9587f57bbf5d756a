package cdp

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"testing"
	"testing/iotest"
)

func TestInboxSizes(t *testing.T) {
	t.Parallel()
	readers := map[string]func(io.Reader) io.Reader{
		"plain":    func(r io.Reader) io.Reader { return r },
		"halves":   iotest.HalfReader,
		"data+EOF": iotest.DataErrReader,
	}
	for name, wrap := range readers {
		for _, limit := range []int64{1, 511, 1000, firstBuffer - 1, firstBuffer, firstBuffer + 1, 3 * firstBuffer} {
			t.Run(fmt.Sprint(name, limit), func(t *testing.T) {
				t.Parallel()
				in := inbox{limit: limit}
				for _, size := range []int64{0, 1, limit - 1, limit, limit + 1, limit + 2, 2*limit + 600, limit} {
					msg := bytes.Repeat([]byte("0123456789abcdef"), int(size/16)+1)[:size]
					got, skipped, err := in.next(wrap(bytes.NewReader(msg)))
					must(t, err)
					if size <= limit {
						if skipped != nil || !bytes.Equal(got, msg) {
							t.Fatalf("size %d: skipped %v, got %d bytes", size, skipped != nil, len(got))
						}
						continue
					}
					if skipped == nil {
						t.Fatalf("size %d: not skipped", size)
					}
					if skipped.size != size || !bytes.HasPrefix(msg, skipped.head) || !bytes.HasSuffix(msg, skipped.tail) {
						t.Fatalf("size %d: skipped %d bytes, head or tail wrong", size, skipped.size)
					}
					if want := int(min(size, edge)); len(skipped.tail) != want || len(skipped.head) != int(min(limit+1, edge)) {
						t.Fatalf("size %d: head %d, tail %d bytes", size, len(skipped.head), len(skipped.tail))
					}
				}
			})
		}
	}
}

// noProgress is a reader that never gives anything.
type noProgress struct{}

func (noProgress) Read([]byte) (int, error) { return 0, nil }

func TestInboxEndsWithoutProgress(t *testing.T) {
	t.Parallel()
	in := inbox{limit: 4}
	for _, r := range []io.Reader{noProgress{}, io.MultiReader(bytes.NewReader(make([]byte, 9)), noProgress{})} {
		if _, _, err := in.next(r); !errors.Is(err, io.ErrNoProgress) {
			t.Errorf("error is %v, want %v", err, io.ErrNoProgress)
		}
	}
}

func TestInboxFreesLargeBuffers(t *testing.T) {
	t.Parallel()
	in := inbox{limit: 1 << 30}
	_, _, err := in.next(bytes.NewReader(make([]byte, 10*keepBuffer)))
	must(t, err)
	_, _, err = in.next(bytes.NewReader(make([]byte, 10)))
	must(t, err)
	if cap(in.buf) > keepBuffer {
		t.Errorf("%d bytes kept, limit %d", cap(in.buf), keepBuffer)
	}
}
